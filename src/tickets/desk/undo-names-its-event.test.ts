import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aField } from '../../../test/support/fields.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'

const desk = await bootDesk()
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]
const opened = async () => (await aTicket(desk, ada)).ticket_id as number

async function done(path: string, body: object) {
  const reply = await desk.post(path, admin, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

test('every undoing names the event that it undoes, by its id in the feed', async () => {
  const field = await aField(desk, admin)
  const other_id = await opened()
  // Rows of a write that failed leave a gap, so that rows and places in the log differ.
  const failed = act(desk.services, system, async act => {
    act.happened({ kind: 'ticket.deleted', ticket: other_id })
    await act.writeEvents()
    throw new Error('failed')
  })
  await assert.rejects(failed, /failed/)
  const changes: [path: string, body: object][] = [
    ['status', { status: 'Closed' }],
    ['update', { fields: { [field.key]: 'SN-1' } }],
    ['link', { other_id, kind: 'related' }],
    ['snooze', { until_reply: 1 }]
  ]
  for (const [path, body] of changes) {
    const id = await opened()
    await done(`/api/admin/tickets/${path}`, { id, ...body })
    await done('/api/admin/tickets/undo', { id })
    const { events } = await done('/api/admin/events/list', { ticket_id: id })
    const [made, undone] = events.slice(-2)
    assert.deepEqual([undone.after.by, undone.after.undo_of], ['undo', made.id], path)
  }
})
