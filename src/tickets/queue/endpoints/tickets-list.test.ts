import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aFile, assign, aTicket } from '../../../../test/support/tickets.ts'
import { isoTime, timestamp } from '../../../lib/time.ts'

const desk = await bootDesk()
const ids = (reply: { data: { tickets: { id: number }[] } }) => reply.data.tickets.map(ticket => ticket.id)

test('list shows a ticket with its department, counters and timestamps', async () => {
  const ada = await aClient(desk)
  const ticket = await aTicket(desk, ada, { department_id: 5, priority: 'Low' }, [aFile('a.txt'), aFile('b.txt')])
  await desk.post('/api/tickets/reply', ada, { id: ticket.ticket_id, message: 'More.' })

  const reply = await desk.post('/api/tickets/list', ada)

  const row = await desk.db
    .selectFrom('tickets')
    .selectAll()
    .where('id', '=', ticket.ticket_id)
    .executeTakeFirstOrThrow()
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.data, {
    count: 1,
    total: 1,
    page: 1,
    limit: 100,
    tickets: [
      {
        id: ticket.ticket_id,
        ticket_number: ticket.ticket_number,
        department_name: 'Sales & Pre Sales Department',
        department_deptid: 5,
        subject: 'The printer is on fire',
        priority: 'Low',
        status: 'Customer-Reply',
        message_count: 2,
        attachment_count: 2,
        created_at: timestamp(row.created_at),
        created_at_iso: isoTime(row.created_at),
        updated_at: timestamp(row.updated_at),
        updated_at_iso: isoTime(row.updated_at)
      }
    ]
  })
})

test("list shows a client nobody else's tickets", async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { ticket_id } = await aTicket(desk, ada)

  const own = await desk.post('/api/tickets/list', ada)
  const other = await desk.post('/api/tickets', eve)

  assert.deepEqual(ids(own), [ticket_id])
  assert.deepEqual(other.data, { count: 0, total: 0, page: 1, limit: 100, tickets: [] })
})

test('list puts the last activity first, and the newest among equals', async t => {
  const ada = await aClient(desk)
  const tickets = [await aTicket(desk, ada), await aTicket(desk, ada), await aTicket(desk, ada)]
  const [first, second, third] = tickets.map(ticket => ticket.ticket_id)
  await desk.db.updateTable('tickets').set({ updated_at: desk.clock.now() }).where('client_id', '=', ada.id).execute()

  const untouched = await desk.post('/api/tickets/list', ada)
  desk.clock.turn(60)
  t.after(() => desk.clock.turn(-60))
  await desk.post('/api/tickets/reply', ada, { id: first, message: 'Hello?' })
  const touched = await desk.post('/api/tickets/list', ada)

  assert.deepEqual(ids(untouched), [third, second, first])
  assert.deepEqual(ids(touched), [first, third, second])
})

test('list filters by status and by public deptid, alone and together, in each encoding', async () => {
  const ada = await aClient(desk)
  const [a, b, c] = [
    await aTicket(desk, ada, { department_id: 1 }),
    await aTicket(desk, ada, { department_id: 4 }),
    await aTicket(desk, ada, { department_id: 4 })
  ].map(ticket => ticket.ticket_id)
  for (const id of [a, b]) await desk.post('/api/tickets/status', ada, { id, status: 'Closed' })

  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const closed = await desk.post('/api/tickets/list', ada, { status: 'Closed' }, encoding)
    const billing = await desk.post('/api/tickets/list', ada, { department_id: 4 }, encoding)
    const both = await desk.post('/api/tickets/list', ada, { status: 'Closed', department_id: 4 }, encoding)
    const shared = await desk.post('/api/tickets', ada, { department_id: 4 }, encoding)

    assert.deepEqual(new Set(ids(closed)), new Set([a, b]))
    assert.deepEqual(new Set(ids(billing)), new Set([b, c]))
    assert.deepEqual(ids(both), [b])
    assert.deepEqual([closed.data.total, billing.data.total, both.data.total], [2, 2, 1])
    assert.deepEqual(ids(shared), ids(billing))
  }
})

test('the department filter also comes as deptid, and compares with deptid, not with id', async t => {
  const ada = await aClient(desk)
  const { id } = await desk.db
    .insertInto('departments')
    .values({ deptid: 900, name: 'Late Department' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { ticket_id } = await aTicket(desk, ada, { department_id: 900 })
  t.after(async () => {
    await desk.db.deleteFrom('tickets').where('department_id', '=', id).execute()
    await desk.db.deleteFrom('departments').where('id', '=', id).execute()
  })

  const byDeptid = await desk.post('/api/tickets/list', ada, { deptid: 900 })
  const byId = await desk.post('/api/tickets/list', ada, { department_id: id })

  assert.deepEqual(ids(byDeptid), [ticket_id])
  assert.deepEqual([byId.data.count, byId.data.total], [0, 0])
})

test('an unknown status is a 400, an unknown department an empty list', async () => {
  const ada = await aClient(desk)
  await aTicket(desk, ada)

  const status = await desk.post('/api/tickets/list', ada, { status: 'open' })
  const department = await desk.post('/api/tickets/list', ada, { department_id: 2 })

  assert.equal(status.status, 400)
  assert.deepEqual(status.body.errors, ['status'])
  assert.equal(department.status, 200)
  assert.equal(department.data.count, 0)
})

test('list pages through the tickets and tells the total on every page, also past the last', async () => {
  const ada = await aClient(desk)
  const all = []
  for (let at = 0; at < 5; at++) all.unshift((await aTicket(desk, ada)).ticket_id)

  const pages = await Promise.all([1, 2, 3, 4].map(page => desk.post('/api/tickets/list', ada, { page, limit: 2 })))
  const past = await desk.post('/api/tickets/list', ada, { status: 'Open', page: Number.MAX_SAFE_INTEGER })

  assert.deepEqual(pages.map(ids), [all.slice(0, 2), all.slice(2, 4), all.slice(4), []])
  assert.deepEqual(
    pages.map(({ data }) => [data.count, data.total, data.page, data.limit]),
    [
      [2, 5, 1, 2],
      [2, 5, 2, 2],
      [1, 5, 3, 2],
      [0, 5, 4, 2]
    ]
  )
  assert.deepEqual([past.data.count, past.data.total], [0, 5])
})

test('limit is clamped to 1000 and shown so; values below 1 are a 400', async () => {
  const ada = await aClient(desk)

  const clamped = await desk.post('/api/tickets/list', ada, { limit: 5000 })
  const zero = await desk.post('/api/tickets/list', ada, { limit: 0, page: -1 })

  assert.equal(clamped.data.limit, 1000)
  assert.equal(zero.status, 400)
  assert.deepEqual(zero.body.errors, ['page', 'limit'])
})

test('list shows staff the tickets assigned to them, whatever they may see otherwise', async () => {
  const [ada, grace, admin] = [await aClient(desk), await aSupporter(desk), await anAdmin(desk)]
  const [a, b, c] = [await aTicket(desk, ada), await aTicket(desk, ada, { department_id: 6 }), await aTicket(desk, ada)]
  await assign(desk, a.ticket_id, grace.id)
  await assign(desk, b.ticket_id, grace.id)
  await assign(desk, c.ticket_id, admin.id)

  const assigned = await desk.post('/api/tickets/list', grace)
  const filtered = await desk.post('/api/tickets', grace, { department_id: 6, status: 'Open' })
  const ofAdmin = await desk.post('/api/tickets', admin, { page: 3 })

  assert.deepEqual(ids(assigned), [b.ticket_id, a.ticket_id])
  assert.equal(assigned.data.total, 2)
  assert.deepEqual(ids(filtered), [b.ticket_id])
  assert.deepEqual([ofAdmin.data.count, ofAdmin.data.total], [0, 1])
})

test("a client and a staff member with the same id do not see one another's tickets", async () => {
  const fresh = await bootDesk()
  const [ada, eve, admin] = [await aClient(fresh), await aClient(fresh), await anAdmin(fresh)]
  const [a, b] = [await aTicket(fresh, ada), await aTicket(fresh, eve)]
  await assign(fresh, b.ticket_id, admin.id)

  const [ofClient, ofStaff] = [await fresh.post('/api/tickets/list', ada), await fresh.post('/api/tickets/list', admin)]

  assert.equal(ada.id, admin.id)
  assert.deepEqual([ids(ofClient), ids(ofStaff)], [[a.ticket_id], [b.ticket_id]])
})
