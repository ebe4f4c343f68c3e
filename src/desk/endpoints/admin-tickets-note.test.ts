import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { aTicket, auditedActions, ticketRow, timeline } from '../../../test/support/tickets.ts'

const desk = await bootDesk()
const ada = await aClient(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')

test('a note is shown to staff, kept as sent, recorded without its words, and no update of the ticket', async () => {
  const { ticket_id: id, ticket_number } = await aTicket(desk, ada)
  const before = await ticketRow(desk, id)

  const { status, data } = await desk.post(`/api/admin/tickets/${ticket_number}/note`, grace, { note: ' A canary.\n' })

  assert.deepEqual(
    [status, data.note.note, data.note.ticket_id, data.note.author.id],
    [201, ' A canary.\n', id, grace.id]
  )
  assert.deepEqual((await desk.post('/api/admin/tickets/detail', grace, { id })).data.notes, [data.note])
  assert.deepEqual(await ticketRow(desk, id), before)
  assert.deepEqual((await timeline(desk, id)).at(-1), ['ticket.noted', null, { note_id: data.note.id }])
  assert.deepEqual(await auditedActions(desk, id), ['ticket.noted'])
  assert.doesNotMatch(JSON.stringify((await desk.post('/api/tickets/detail', ada, { id })).body), /canary/)
})

test('a note waits for nobody’s version unless one is expected', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = await desk.rowCounts()

  const stale = await desk.post('/api/admin/tickets/note', grace, { id, note: 'Old.', expected_version: 9 })

  assert.deepEqual([stale.status, stale.data], [409, { current_version: 1 }])
  assert.deepEqual(await desk.rowCounts(), before)
  const fresh = await desk.post('/api/admin/tickets/note', grace, { id, note: 'New.', expected_version: 1 })
  assert.equal(fresh.status, 201)
})
