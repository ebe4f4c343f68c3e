import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { aTicket, ticketRow, timeline } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all')

test('one watches a ticket once, and ceases to; the ticket itself stays as it is', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await ticketRow(desk, id)
  const watchers = async () => (await desk.post('/api/admin/tickets/detail', grace, { id })).data.watchers

  const first = await desk.post('/api/admin/tickets/watch', grace, { id })
  await desk.post(`/api/admin/tickets/${id}/watch`, grace, { watching: 1 })

  assert.deepEqual(first.data, { ticket_id: id, watching: 1 })
  assert.deepEqual(await watchers(), [{ id: grace.id, first_name: 'Grace', last_name: 'Hopper' }])
  const last = await desk.post('/api/admin/tickets/watch', grace, { id, watching: 0 })
  await desk.post('/api/admin/tickets/watch', grace, { id, watching: 0 })
  assert.deepEqual(last.data, { ticket_id: id, watching: 0 })
  assert.deepEqual(await watchers(), [])
  assert.deepEqual(
    (await timeline(desk, id)).map(([kind]) => kind),
    ['ticket.created', 'ticket.watched', 'ticket.unwatched']
  )
  assert.deepEqual(await ticketRow(desk, id), before)
})

test('what one does not see one does not watch', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const alan = await aSupporter(desk, 'tickets.delete')

  assert.equal((await desk.post('/api/admin/tickets/watch', alan, { id })).status, 404)
})
