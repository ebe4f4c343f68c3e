import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aPolicy } from '../../../test/support/sla.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { dueWork } from '../../operation/clock/timed-work.ts'

const desk = await bootDesk({ connections: 3 })
const { services } = desk
const [admin, client] = [await anAdmin(desk), await aClient(desk)]
const { calendars } = (await desk.post('/api/admin/calendars/list', admin)).data
const always = calendars.find((calendar: { is_always: 0 | 1 }) => calendar.is_always === 1)
await aPolicy(desk, admin, always, { warn_minutes: 30, is_active: 1 })

const hour = 3_600
const lookForWhatIsDue = async () => {
  for (const work of dueWork(services)) while ((await work.runDue(services.clock.now())) > 0);
}
const told = async (ticket: number) => {
  const events = await desk.db
    .selectFrom('events')
    .where('ticket_id', '=', ticket)
    .where('kind', 'like', 'sla.%')
    .select('kind')
    .orderBy('id')
    .execute()
  return events.map(({ kind }) => kind)
}
const clockOf = async (id: number) => {
  const { clocks } = (await desk.post('/api/admin/tickets/sla', admin, { id })).data
  assert.equal(clocks.length, 1)
  return clocks[0]
}

test('S16: on a machine whose clock is set back no breach and no warning is told twice, and no clock is lost', async () => {
  const { ticket_id: late } = await aTicket(desk, client)
  desk.clock.turn(3.75 * hour)
  await lookForWhatIsDue()
  desk.clock.turn(1 * hour)
  await lookForWhatIsDue()
  const before = await clockOf(late)

  desk.clock.turn(-3 * hour)
  await lookForWhatIsDue()
  const { ticket_id: fresh } = await aTicket(desk, client)
  await desk.post('/api/admin/tickets/note', admin, { id: late, note: 'Seen' })
  desk.clock.turn(2 * hour)
  await lookForWhatIsDue()
  desk.clock.turn(1 * hour)
  await lookForWhatIsDue()
  const after = await clockOf(late)

  assert.deepEqual(await told(late), ['sla.started', 'sla.warned', 'sla.breached'])
  assert.deepEqual([after.state, after.due_at, after.breached_at], ['breached', before.due_at, before.breached_at])
  assert.deepEqual(await told(fresh), ['sla.started'])
  desk.clock.turn(2 * hour)
  await lookForWhatIsDue()
  assert.deepEqual(await told(fresh), ['sla.started', 'sla.breached'])
  assert.equal((await clockOf(fresh)).state, 'breached')
})

test('S16: an answer that the clock of the machine dates before its question ends the clock, in time', async () => {
  const { ticket_id: ticket } = await aTicket(desk, client)
  await lookForWhatIsDue()
  desk.clock.turn(-2 * hour)
  const reply = await desk.post('/api/admin/tickets/reply', admin, { id: ticket, message: 'An answer' })
  assert.equal(reply.status, 201, reply.body.message)
  await lookForWhatIsDue()
  desk.clock.turn(12 * hour)
  await lookForWhatIsDue()

  const ended = await clockOf(ticket)
  assert.deepEqual([ended.state, ended.is_ended, await told(ticket)], ['met', true, ['sla.started', 'sla.met']])
})
