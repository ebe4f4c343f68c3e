import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aTicket, changeTicket, listedIds } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const grace = await aSupporter(desk, 'tickets.view_all')

test('the list is sorted by update, creation or priority, either way, and ties by id', async () => {
  const eve = await aClient(desk)
  const ids: number[] = []
  for (const priority of ['High', 'Low', 'Critical', 'Medium', 'High']) {
    ids.push((await aTicket(desk, eve, { priority })).ticket_id)
  }
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  await changeTicket(desk, b, { updated_at: new Date(desk.clock.now().getTime() + 60_000) })
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

    assert.deepEqual(await listedIds(desk, grace, { client_id: eve.id, ...order }), expected, JSON.stringify(order))
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
    await changeTicket(desk, id, { updated_at: `2025-01-01 00:00:00.00000${at < 2 ? 1 : 2}Z` as unknown as Date })
  }

  const first = await desk.post('/api/admin/tickets/list', grace, { client_id: eve.id, limit: 1 })
  const second = await listedIds(desk, grace, { client_id: eve.id, limit: 3, cursor: first.data.next_cursor })

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
    { cursor: made('updated', 'desc', '2025-02-30T00:00:00.000000Z', 1) },
    { cursor: made('updated', 'desc', '0000-01-01T00:00:00.000000Z', 1) },
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

test('all tickets of a status, department and assignment are counted; narrowed by more, ten thousand and no further', async () => {
  const [eve, admin] = [await aClient(desk), await anAdmin(desk)]
  const view = { status: ['Open', 'Closed'], department_id: 6, unassigned: 1, limit: 1 }
  const before = await desk.post('/api/admin/tickets/list', admin, view)
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

  const whole = await desk.post('/api/admin/tickets/list', admin, view)
  const beyond = await desk.post('/api/admin/tickets/list', admin, { ...view, page: 50_000 })
  const narrowed = await desk.post('/api/admin/tickets/list', admin, { ...view, client_id: eve.id })

  const all = before.data.total + 10_005
  assert.deepEqual([whole.data.total, whole.data.count], [all, 1])
  assert.deepEqual([beyond.data.total, beyond.data.count], [all, 0])
  assert.deepEqual([narrowed.data.total, narrowed.data.count], [10_000, 1])
  await desk.db.deleteFrom('tickets').where('client_id', '=', eve.id).execute()
})
