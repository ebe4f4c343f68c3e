import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aFile, assign, aTicket, changeTicket, limitTo, listedIds } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.delete')]

async function aTag(name: string): Promise<number> {
  const { id } = await desk.db.insertInto('tags').values({ name }).returning('id').executeTakeFirstOrThrow()
  return id
}

test('each row shows the ticket with its department, client, assignee, tags, counters and version', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada, { department_id: 4, priority: 'High' }, [
    aFile('a.txt')
  ])
  const tag_id = await aTag('urgent')
  await desk.db.insertInto('ticket_tags').values({ ticket_id: id, tag_id }).execute()
  await assign(desk, id, grace.id)

  const { data } = await desk.post('/api/admin/tickets', grace, {})

  const [
    { created_at, updated_at, waiting_since, created_at_iso: _, updated_at_iso: __, waiting_since_iso: ___, ...row }
  ] = data.tickets
  assert.match(`${created_at} ${updated_at}`, /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ?){2}$/)
  assert.deepEqual(row, {
    id,
    ticket_number,
    subject: 'The printer is on fire',
    status: 'Open',
    priority: 'High',
    department: { id: 4, deptid: 4, name: 'Billing Department' },
    client: { id: ada.id, first_name: 'Ada', last_name: 'Lovelace', email: ada.email, organisation: null },
    assignee: { id: grace.id, first_name: 'Grace', last_name: 'Hopper' },
    tags: [{ id: tag_id, name: 'urgent', color: '#808080' }],
    message_count: 1,
    attachment_count: 1,
    version: 2,
    merged_into_id: null,
    trashed_at: null,
    trashed_at_iso: null,
    snooze: null,
    snippet: 'Please hurry.',
    last_message_by: { type: 'client', id: ada.id, name: 'Ada Lovelace' },
    woken_at: null,
    sla: null,
    has_draft: 0,
    undelivered: 0,
    side_waiting: 0,
    unread: 1
  })
  assert.equal(waiting_since, created_at)
  assert.deepEqual([data.count, data.total, data.page, data.limit, data.next_cursor], [1, 1, 1, 20, null])
})

test('each row of a page has its own tags, by name', async () => {
  const [client, admin] = [await aClient(desk), await anAdmin(desk)]
  for (const name of ['zeta', 'mid', 'Alpha']) await aTag(name)
  const given = [['zeta', 'Alpha'], [], ['Alpha', 'mid']]
  for (const add of given) {
    const { ticket_id: id } = await aTicket(desk, client, {})
    if (add.length > 0) await desk.post('/api/admin/tickets/tags', admin, { id, add })
  }

  const { data } = await desk.post('/api/admin/tickets/list', admin, {
    client_id: client.id,
    sort: 'created',
    direction: 'asc'
  })
  const shown = data.tickets.map(({ tags }: { tags: { name: string }[] }) => tags.map(({ name }) => name))

  assert.deepEqual(shown, [['Alpha', 'zeta'], [], ['Alpha', 'mid']])
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
  await changeTicket(desk, two, { status: 'Answered' })
  await changeTicket(desk, three, { status: 'Closed' })
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
      const found = await listedIds(desk, grace, { client_id: eve.id, ...filter }, encoding)

      assert.deepEqual(found.toSorted(), expected.toSorted(), `${encoding} ${JSON.stringify(filter)}`)
    }
  }
})

test('times narrow from their first moment to their last, a day to its end', async () => {
  const eve = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, eve)
  await changeTicket(desk, id, {
    created_at: new Date('2025-03-02T23:59:59.700Z'),
    updated_at: new Date('2025-03-04T08:00:00.000Z')
  })
  const fits: object[] = [
    { created_from: '2025-03-02' },
    { created_to: '2025-03-02' },
    { created_from: '2025-03-02 23:59:59', created_to: '2025-03-02 23:59:59' },
    { created_from: '2025-03-02T23:59:59Z', created_to: '2025-03-02T23:59:59.000Z' },
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

  for (const filter of fits) assert.deepEqual(await listedIds(desk, grace, { client_id: eve.id, ...filter }), [id])
  for (const filter of misses) assert.deepEqual(await listedIds(desk, grace, { client_id: eve.id, ...filter }), [])
  const refused = await desk.post('/api/admin/tickets/list', grace, { created_from: '02.03.2025' })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['created_from']])
  for (const name of ['created_from', 'created_to', 'updated_from', 'updated_to']) {
    for (const day of [
      '2026-02-30',
      '2025-02-29',
      '2026-04-31 10:00:00',
      '2026-04-31T10:00:00Z',
      '2100-02-29',
      '0000-01-01'
    ]) {
      const { status, body } = await desk.post('/api/admin/tickets/list', grace, { [name]: day })
      assert.deepEqual([status, body.errors], [400, [name]], day)
    }
  }
  assert.equal((await desk.post('/api/admin/tickets/list', grace, { created_from: '2024-02-29' })).status, 200)
})

test('a supporter without tickets.view_all sees the tickets assigned to them, whichever other ticket permission they hold', async () => {
  const eve = await aClient(desk)
  const [mine, other] = [await aTicket(desk, eve), await aTicket(desk, eve)]

  for (const permission of ['tickets.reply', 'tickets.edit_status', 'tickets.delete'] as const) {
    const alan = await aSupporter(desk, permission)
    await assign(desk, mine.ticket_id, alan.id)

    assert.deepEqual(await listedIds(desk, alan), [mine.ticket_id])
    assert.deepEqual(await listedIds(desk, alan, { assigned_staff_id: grace.id }), [])
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

  assert.deepEqual(await listedIds(desk, alan, { client_id: eve.id }), [tickets[2], tickets[0]])
  assert.deepEqual(await listedIds(desk, admin, { client_id: eve.id }), tickets.toReversed())
})

test('the trash is a list of its own, for those who may delete tickets', async () => {
  const [eve, alan] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all')]
  const [kept, trashed] = [await aTicket(desk, eve), await aTicket(desk, eve)]
  await changeTicket(desk, trashed.ticket_id, { trashed_at: desk.clock.now() })

  const refused = await desk.post('/api/admin/tickets/list', alan, { trashed: 1 })

  assert.equal(refused.status, 403)
  assert.deepEqual(await listedIds(desk, grace, { client_id: eve.id }), [kept.ticket_id])
  assert.deepEqual(await listedIds(desk, grace, { client_id: eve.id, trashed: 0 }), [kept.ticket_id])
  assert.deepEqual(await listedIds(desk, grace, { client_id: eve.id, trashed: 1 }), [trashed.ticket_id])
})
