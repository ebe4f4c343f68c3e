import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { assign, aTicket } from '../../../../test/support/tickets.ts'
import { ticketStatuses } from '../../../core/tables/tickets.ts'

const desk = await bootDesk()

function ticketRow(id: number) {
  return desk.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

test('a client gives its ticket any of the five statuses from any other; the message names the new one', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)

  for (const from of ticketStatuses) {
    for (const to of ticketStatuses) {
      await desk.post('/api/tickets/status', ada, { id, status: from })
      const reply = await desk.post('/api/tickets/status', ada, { id, status: to })

      assert.equal(reply.status, 200)
      assert.deepEqual(reply.data, { ticket_id: id, status: to })
      assert.ok(reply.body.message.includes(to))
      assert.equal((await ticketRow(id)).status, to)
    }
  }
})

test('status works in each encoding, by id and by number, under each name and address, and touches the last activity', async t => {
  const ada = await aClient(desk)
  const { ticket_id, ticket_number } = await aTicket(desk, ada)
  desk.clock.turn(60)
  t.after(() => desk.clock.turn(-60))

  for (const encoding of ['json', 'form', 'multipart'] as const) {
    const replies = [
      await desk.post('/api/tickets/status', ada, { id: ticket_id, status: 'Closed' }, encoding),
      await desk.post('/api/tickets/status', ada, { ticket_id: ticket_number, status: 'Closed' }, encoding),
      await desk.post(`/api/tickets/${ticket_id}/status`, ada, { status: 'Closed' }, encoding),
      await desk.post(`/api/tickets/${ticket_number}/status`, ada, { id: 999_999, status: 'Closed' }, encoding)
    ]

    for (const reply of replies) assert.deepEqual(reply.data, { ticket_id, status: 'Closed' })
  }
  const { updated_at } = await ticketRow(ticket_id)
  assert.ok(Math.abs(updated_at.getTime() - desk.clock.now().getTime()) < 30_000)
})

test('an unknown status is a 400, and nothing is changed', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await ticketRow(id)

  for (const status of ['closed', 'Done', 1, '__proto__']) {
    const reply = await desk.post('/api/tickets/status', ada, { id, status })

    assert.equal(reply.status, 400)
    assert.deepEqual(reply.body.errors, ['status'])
  }
  assert.deepEqual(await ticketRow(id), before)
})

test("somebody else's ticket and none at all are the same 404, by id and by number, and nothing is changed", async () => {
  const [ada, eve, grace] = [await aClient(desk), await aClient(desk), await aSupporter(desk, 'tickets.edit_status')]
  const { ticket_id, ticket_number } = await aTicket(desk, ada)
  const before = await ticketRow(ticket_id)

  const replies = [
    ...(await Promise.all(
      [ticket_id, ticket_number, 999_999, 'TIC-999999'].map(id =>
        desk.post('/api/tickets/status', eve, { id, status: 'Closed' })
      )
    )),
    await desk.post(`/api/tickets/${ticket_number}/status`, eve, { status: 'Closed' }),
    await desk.post('/api/tickets/status', grace, { id: 999_999, status: 'Closed' })
  ]

  for (const { status, body } of replies) {
    assert.equal(status, 404)
    assert.deepEqual(body, replies[0]!.body)
  }
  assert.deepEqual(await ticketRow(ticket_id), before)
})

test('staff change the status with tickets.edit_status alone, and admins', async () => {
  const ada = await aClient(desk)
  const people = [await aSupporter(desk, 'tickets.edit_status'), await anAdmin(desk)]
  const { ticket_id: id } = await aTicket(desk, ada)

  for (const person of people) {
    const reply = await desk.post('/api/tickets/status', person, { id, status: 'In Progress' })

    assert.deepEqual(reply.data, { ticket_id: id, status: 'In Progress' })
  }
})

test('staff without tickets.edit_status get 403, even for the ticket assigned to them, and nothing is changed', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.reply')]
  const { ticket_id: id } = await aTicket(desk, ada)
  await assign(desk, id, grace.id)
  const before = await ticketRow(id)

  const replies = [
    await desk.post('/api/tickets/status', grace, { id, status: 'Closed' }),
    await desk.post('/api/tickets/status', grace, { id: 'nonsense' })
  ]

  assert.deepEqual(
    replies.map(reply => reply.status),
    [403, 403]
  )
  assert.deepEqual(await ticketRow(id), before)
})
