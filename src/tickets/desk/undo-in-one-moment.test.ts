import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aField, fieldsOf } from '../../../test/support/fields.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { aTicket, ticketRow } from '../../../test/support/tickets.ts'

// A moved clock stands still, so that all happens in one moment; the real one is that of two people at times.
const desk = await bootDesk({ config: { TEST_CLOCK: true } })
const [ada, grace, joan] = [await aClient(desk), await anAdmin(desk), await anAdmin(desk)]
const { key } = await aField(desk, grace)
await desk.post('/api/test/clock', grace, { now: '2030-03-11T09:00:00Z' })

const opened = async () => (await aTicket(desk, ada)).ticket_id as number
const changed = async (by: Person, path: string, body: object) => {
  const reply = await desk.post(`/api/admin/tickets/${path}`, by, body)
  assert.equal(reply.status, 200, reply.body.message)
}
const undone = async (id: number) => (await desk.post('/api/admin/tickets/undo', grace, { id })).status

test('of several changes in one moment the last one is undone', async () => {
  const id = await opened()
  await changed(grace, 'update', { id, priority: 'High' })
  await changed(grace, 'update', { id, fields: { [key]: 'one' } })
  await changed(grace, 'update', { id, subject: 'Another one' })

  assert.equal(await undone(id), 200)

  const { priority, subject } = await ticketRow(desk, id)
  assert.deepEqual(
    [priority, subject, await fieldsOf(desk, grace, id)],
    ['High', 'The printer is on fire', { [key]: 'one' }]
  )
})

test('what somebody else has changed in the same moment ends the undo', async () => {
  const id = await opened()
  await changed(grace, 'update', { id, priority: 'High' })
  await changed(joan, 'update', { id, fields: { [key]: 'one' } })

  assert.equal(await undone(id), 409)

  assert.equal((await ticketRow(desk, id)).priority, 'High')
})

test('a snooze that was ended in the same moment, by another change, stays ended', async () => {
  const id = await opened()
  await changed(grace, 'snooze', { id, until: '2030-03-12T09:00:00Z' })
  await changed(grace, 'unsnooze', { id })
  await changed(grace, 'update', { id, priority: 'High' })

  assert.equal(await undone(id), 200)

  const { data } = await desk.post('/api/admin/tickets/detail', grace, { id })
  assert.deepEqual([data.ticket.priority, data.ticket.snooze], ['Medium', null])
})
