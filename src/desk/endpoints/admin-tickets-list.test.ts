import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { aFile, assign, aTicket, limitTo } from '../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.delete')]

async function idsOf(person: Person, body: object = {}, encoding?: 'json' | 'form' | 'multipart'): Promise<number[]> {
  const reply = await desk.post('/api/admin/tickets/list', person, body, encoding)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data.tickets.map((ticket: { id: number }) => ticket.id)
}

async function aTag(name: string): Promise<number> {
  const { id } = await desk.db.insertInto('tags').values({ name }).returning('id').executeTakeFirstOrThrow()
  return id
}

function change(id: number, values: object): Promise<unknown> {
  return desk.db.updateTable('tickets').set(values).where('id', '=', id).execute()
}

test('each row shows the ticket with its department, client, assignee, tags, counters and version', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada, { department_id: 4, priority: 'High' }, [
    aFile('a.txt')
  ])
  const tag_id = await aTag('urgent')
  await desk.db.insertInto('ticket_tags').values({ ticket_id: id, tag_id }).execute()
  await assign(desk, id, grace.id)

  const { data } = await desk.post('/api/admin/tickets', grace, {})

  const [{ created_at, updated_at, ...row }] = data.tickets
  assert.match(`${created_at} ${updated_at}`, /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ?){2}$/)
  assert.deepEqual(row, {
    id,
    ticket_number,
    subject: 'The printer is on fire',
    status: 'Open',
    priority: 'High',
    department: { id: 4, deptid: 4, name: 'Billing Department' },
    client: { id: ada.id, first_name: 'Ada', last_name: 'Lovelace', email: ada.email },
    assignee: { id: grace.id, first_name: 'Grace', last_name: 'Hopper' },
    tags: [{ id: tag_id, name: 'urgent', color: '#808080' }],
    message_count: 1,
    attachment_count: 1,
    version: 2,
    merged_into_id: null,
    trashed_at: null
  })
  assert.deepEqual([data.count, data.total, data.page, data.limit, data.next_cursor], [1, 1, 1, 20, null])
})

test('every filter narrows the list, alone and together, in each encoding', async () => {
  const [eve, alan] = [await aClient(desk, { first_name: 'Eve', email: 'eve@narrow.test' }), await aSupporter(desk)]
  const open = (given: object) => aTicket(desk, eve, given).then(ticket => ticket.ticket_id as number)
  const [one, two, three] = [
    await open({ department_id: 1, subject: 'Ink is empty', priority: 'Low' }),
    await open({ department_id: 4, subject: '100% wrong_bill', priority: 'Critical' }),
    await open({ department_id: 5, subject: 'A lamp', priority: 'Critical' })
  ]
  await assign(desk, two, alan.id)
  await change(two, { status: 'Answered' })
  await change(three, { status: 'Closed' })
  const tag_id = await aTag('Narrow')
  await desk.db.insertInto('ticket_tags').values({ ticket_id: one, tag_id }).execute()
  const { ticket_number } = (await desk.post('/api/admin/tickets/detail', grace, { id: three })).data.ticket
  const cases: [object, number[]][] = [
    [{}, [one, two, three]],
    [{ status: 'Open' }, [one]],
    [{ status: ['Open', 'Answered'] }, [one, two]],
    [{ priority: 'Critical' }, [two, three]],
    [{ priority: ['Low', 'Critical'], status: ['Closed', 'Open'] }, [one, three]],
    [{ department_id: 4 }, [two]],
    [{ deptid: 4 }, [two]],
    [{ department_id: 999 }, []],
    [{ assigned_staff_id: alan.id }, [two]],
    [{ unassigned: 1 }, [one, three]],
    [{ unassigned: 0 }, [two]],
    [{ unassigned: 1, assigned_staff_id: alan.id }, []],
    [{ tag: 'nARROW' }, [one]],
    [{ tag_id }, [one]],
    [{ tag: 'nothing' }, []],
    [{ search: 'ink IS' }, [one]],
    [{ search: '100%' }, [two]],
    [{ search: '00% wron' }, [two]],
    [{ search: 'rong_bil' }, [two]],
    [{ search: '___' }, []],
    [{ search: ticket_number.toLowerCase() }, [three]],
    [{ search: 'EVE@narrow' }, [one, two, three]],
    [{ search: 'eve love' }, [one, two, three]],
    [{ search: 'nowhere' }, []]
  ]

  for (const [filter, expected] of cases) {
    for (const encoding of ['json', 'form', 'multipart'] as const) {
      const found = await idsOf(grace, { client_id: eve.id, ...filter }, encoding)

      assert.deepEqual(found.toSorted(), expected.toSorted(), `${encoding} ${JSON.stringify(filter)}`)
    }
  }
})

test('times narrow from their first moment to their last, a day to its end', async () => {
  const eve = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, eve)
  await change(id, {
    created_at: new Date('2025-03-02T23:59:59.700Z'),
    updated_at: new Date('2025-03-04T08:00:00.000Z')
  })
  const fits: object[] = [
    { created_from: '2025-03-02' },
    { created_to: '2025-03-02' },
    { created_from: '2025-03-02 23:59:59', created_to: '2025-03-02 23:59:59' },
    { updated_from: '2025-03-04 08:00:00', updated_to: '2025-03-04 08:00:00' },
    { created_to: '2025-03-02', updated_from: '2025-03-04' }
  ]
  const misses: object[] = [
    { created_from: '2025-03-03' },
    { created_to: '2025-03-01' },
    { created_to: '2025-03-02 23:59:58' },
    { updated_from: '2025-03-04 08:00:01' },
    { updated_to: '2025-03-03' }
  ]

  for (const filter of fits) assert.deepEqual(await idsOf(grace, { client_id: eve.id, ...filter }), [id])
  for (const filter of misses) assert.deepEqual(await idsOf(grace, { client_id: eve.id, ...filter }), [])
  const refused = await desk.post('/api/admin/tickets/list', grace, { created_from: '02.03.2025' })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['created_from']])
})

test('the list is sorted by update, creation or priority, either way, and ties by id', async () => {
  const eve = await aClient(desk)
  const ids: number[] = []
  for (const priority of ['High', 'Low', 'Critical', 'Medium', 'High']) {
    ids.push((await aTicket(desk, eve, { priority })).ticket_id)
  }
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  await change(b, { updated_at: new Date(desk.clock.now().getTime() + 60_000) })
  const cases: [object, number[]][] = [
    [{}, [b, e, d, c, a]],
    [{ sort: 'updated', direction: 'asc' }, [a, c, d, e, b]],
    [{ sort: 'created' }, [e, d, c, b, a]],
    [{ sort: 'created', direction: 'asc' }, [a, b, c, d, e]],
    [{ sort: 'priority' }, [c, e, a, d, b]],
    [{ sort: 'priority', direction: 'asc' }, [b, d, a, e, c]]
  ]

  for (const [order, expected] of cases) {
    const paged: number[] = []
    let cursor: string | undefined
    do {
      const { data } = await desk.post('/api/admin/tickets/list', grace, {
        client_id: eve.id,
        limit: 2,
        ...order,
        ...(cursor ? { cursor } : {})
      })
      assert.equal(data.total, 5)
      paged.push(...data.tickets.map((ticket: { id: number }) => ticket.id))
      cursor = data.next_cursor
    } while (cursor)

    assert.deepEqual(await idsOf(grace, { client_id: eve.id, ...order }), expected, JSON.stringify(order))
    assert.deepEqual(paged, expected, JSON.stringify(order))
  }
})

test('a cursor shows neither a ticket twice nor leaves one out while others arrive; pages by number would', async () => {
  const eve = await aClient(desk)
  const ids: number[] = []
  for (let at = 0; at < 6; at++) ids.push((await aTicket(desk, eve)).ticket_id)
  const body = { client_id: eve.id, limit: 3 }
  const first = await desk.post('/api/admin/tickets/list', grace, body)
  for (let at = 0; at < 2; at++) await aTicket(desk, eve)

  const behind = await desk.post('/api/admin/tickets/list', grace, { ...body, cursor: first.data.next_cursor })
  const second = await desk.post('/api/admin/tickets/list', grace, { ...body, page: 2 })

  const shown = [...first.data.tickets, ...behind.data.tickets].map(ticket => ticket.id)
  assert.deepEqual(shown, ids.toReversed())
  assert.equal(behind.data.next_cursor, null)
  assert.equal(second.data.tickets[0].id, first.data.tickets[1].id)
})

test('rows of the very same moment, to the microsecond, are told apart by a cursor', async () => {
  const eve = await aClient(desk)
  const ids: number[] = []
  for (let at = 0; at < 4; at++) ids.push((await aTicket(desk, eve)).ticket_id)
  for (const [at, id] of ids.entries()) {
    await change(id, { updated_at: `2025-01-01 00:00:00.00000${at < 2 ? 1 : 2}Z` as unknown as Date })
  }

  const first = await desk.post('/api/admin/tickets/list', grace, { client_id: eve.id, limit: 1 })
  const second = await idsOf(grace, { client_id: eve.id, limit: 3, cursor: first.data.next_cursor })

  assert.deepEqual([first.data.tickets[0].id, ...second], ids.toReversed())
})

test('a cursor that nobody made, or of another order, is refused by name', async () => {
  const eve = await aClient(desk)
  for (let at = 0; at < 2; at++) await aTicket(desk, eve)
  const { next_cursor: good } = (await desk.post('/api/admin/tickets/list', grace, { limit: 1 })).data
  const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const bad: object[] = [
    { cursor: 'nonsense' },
    { cursor: made() },
    { cursor: made('updated', 'desc', "2025-01-01'; drop table tickets", 1) },
    { cursor: made('updated', 'desc', '2025-13-41T00:00:00.000000Z', 1) },
    { cursor: made('updated', 'desc', '2025-01-01T00:00:00.000000Z', 'x') },
    { cursor: made('priority', 'desc', '9', 1), sort: 'priority' },
    { cursor: good, sort: 'created' },
    { cursor: good, direction: 'asc' }
  ]

  for (const body of bad) {
    const reply = await desk.post('/api/admin/tickets/list', grace, body)

    assert.deepEqual([reply.status, reply.body.errors], [400, ['cursor']], JSON.stringify(body))
  }
})

test('a page holds 20 tickets, a larger one 100 at most, and the total stays known behind the last page', async () => {
  const eve = await aClient(desk)
  for (let at = 0; at < 21; at++) await aTicket(desk, eve)

  const plain = await desk.post('/api/admin/tickets/list', grace, { client_id: eve.id })
  const large = await desk.post('/api/admin/tickets/list', grace, { client_id: eve.id, limit: 5000 })
  const beyond = await desk.post('/api/admin/tickets/list', grace, { client_id: eve.id, page: 9 })

  assert.deepEqual([plain.data.count, plain.data.total, plain.data.limit], [20, 21, 20])
  assert.deepEqual([large.data.count, large.data.limit, large.data.next_cursor], [21, 100, null])
  assert.deepEqual([beyond.data.count, beyond.data.total, beyond.data.page], [0, 21, 9])
})

test('a supporter without tickets.view_all sees the tickets assigned to them, whichever other ticket permission they hold', async () => {
  const eve = await aClient(desk)
  const [mine, other] = [await aTicket(desk, eve), await aTicket(desk, eve)]

  for (const permission of ['tickets.reply', 'tickets.edit_status', 'tickets.delete'] as const) {
    const alan = await aSupporter(desk, permission)
    await assign(desk, mine.ticket_id, alan.id)

    assert.deepEqual(await idsOf(alan), [mine.ticket_id])
    assert.deepEqual(await idsOf(alan, { assigned_staff_id: grace.id }), [])
    const refused = await desk.post('/api/admin/tickets/detail', alan, { id: other.ticket_id })
    assert.equal(refused.status, 404)
  }
})

test('a supporter of some departments sees those alone, an admin all', async () => {
  const eve = await aClient(desk)
  const [alan, admin] = [await aSupporter(desk, 'tickets.view_all'), await anAdmin(desk)]
  const tickets = [
    await aTicket(desk, eve, { department_id: 4 }),
    await aTicket(desk, eve, { department_id: 5 }),
    await aTicket(desk, eve, { department_id: 6 })
  ].map(ticket => ticket.ticket_id)
  await limitTo(desk, alan.id, 4, 6)
  await limitTo(desk, admin.id, 4)

  assert.deepEqual(await idsOf(alan, { client_id: eve.id }), [tickets[2], tickets[0]])
  assert.deepEqual(await idsOf(admin, { client_id: eve.id }), tickets.toReversed())
})

test('the trash is a list of its own, for those who may delete tickets', async () => {
  const [eve, alan] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all')]
  const [kept, trashed] = [await aTicket(desk, eve), await aTicket(desk, eve)]
  await change(trashed.ticket_id, { trashed_at: desk.clock.now() })

  const refused = await desk.post('/api/admin/tickets/list', alan, { trashed: 1 })

  assert.equal(refused.status, 403)
  assert.deepEqual(await idsOf(grace, { client_id: eve.id }), [kept.ticket_id])
  assert.deepEqual(await idsOf(grace, { client_id: eve.id, trashed: 0 }), [kept.ticket_id])
  assert.deepEqual(await idsOf(grace, { client_id: eve.id, trashed: 1 }), [trashed.ticket_id])
})

test('counting goes to ten thousand and no further', async () => {
  const eve = await aClient(desk)
  await desk.db
    .insertInto('tickets')
    .columns(['client_id', 'department_id', 'subject'])
    .expression(db =>
      db
        .selectFrom(db.fn<{ n: number }>('generate_series', [db.lit(1), db.lit(10_005)]).as('n'))
        .select(eb => [
          eb.val(eve.id).as('client_id'),
          eb.lit(6).as('department_id'),
          eb.val('One of many').as('subject')
        ])
    )
    .execute()

  const { data } = await desk.post('/api/admin/tickets/list', grace, { client_id: eve.id, limit: 1 })

  assert.deepEqual([data.total, data.count], [10_000, 1])
  await desk.db.deleteFrom('tickets').where('client_id', '=', eve.id).execute()
})
