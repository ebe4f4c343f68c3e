import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchUpWithLog } from '../src/core/events/follow-log.ts'
import { sequence } from '../src/core/events/read-events.ts'
import { slaReader } from '../src/tickets/sla/clock-reader.ts'
import { aField } from './support/fields.ts'
import { aRule, bootRulesDesk, runRules } from './support/rules.ts'
import { aCalendar, aPolicy } from './support/sla.ts'
import { ticketRow } from './support/tickets.ts'

const { desk, ada, admin, opened } = await bootRulesDesk()
const day = await aField(desk, admin, { kind: 'date' })
await aPolicy(desk, admin, await aCalendar(desk))

const staff = async (action: string, body: object) => {
  const reply = await desk.post(`/api/admin/tickets/${action}`, admin, body)
  assert.ok(reply.status < 300, `${action}: ${reply.body.message}`)
  return reply.data
}
const written = async (id: number, message: string) => {
  const reply = await desk.post('/api/tickets/reply', ada, { id, message })
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.message_id as number
}

/** All that can happen to a ticket that is split, merged, and removed in the end. */
async function aWholeLife(): Promise<number> {
  const [id, other, source] = [await opened(), await opened(), await opened()]
  const part = await staff('split', { id, message_ids: [await written(id, 'Another matter')], subject: 'Another' })
  await staff('unsplit', { id: part.ticket_id })
  await staff('split', { id, message_ids: [await written(id, 'One more')], subject: 'One more' })
  await staff('undo', { id })
  await staff('reply', { id, message: 'Answered' })
  await staff('note', { id, note: 'Seen' })
  await staff('update', { id, priority: 'High', subject: 'Renamed', fields: { [day.key]: '2030-01-01' } })
  await staff('assign', { id, staff_id: admin.id })
  await staff('snooze', { id, until: new Date(Date.now() + 3_600_000).toISOString(), kind: 'own' })
  await staff('unsnooze', { id })
  await staff('status', { id, status: 'Closed' })
  await staff('merge', { id: source, into_id: id })
  await staff('unmerge', { id: source })
  await staff('merge', { id: source, into_id: id })
  await staff('link', { id, other_id: other, kind: 'related' })
  await staff('delete', { id })
  await staff('purge', { id, ticket_number: (await ticketRow(desk, id)).ticket_number })
  return other
}

test('what follows the log goes on where tickets were removed before their events were read', async () => {
  const bases = ['created', 'last_client_message', 'last_reply', 'status_since', 'sla_due', 'snooze_end']
  for (const basis of bases) await aRule(desk, admin, { name: basis, trigger: { timer: { basis, minutes: 60 } } })
  const date = { basis: 'date_field', field_id: day.id, minutes: 60 }
  await aRule(desk, admin, { name: 'Day', trigger: { timer: date } })
  const channel = { all: [{ any: [{ field: 'event.channel', op: 'is', value: 'portal' }] }] }
  const events = ['ticket.created', 'ticket.replied', 'ticket.updated']
  await aRule(desk, admin, { name: 'Events', trigger: { events }, conditions: channel })
  await aWholeLife()
  const next = await opened()

  await sequence(desk.services)
  await catchUpWithLog(desk.db, slaReader(desk.services))
  await runRules(desk)
  await desk.deliver()

  const { data } = await desk.post('/api/admin/tickets/sla', admin, { id: next })
  assert.deepEqual(
    data.clocks.map(({ metric }: { metric: string }) => metric),
    ['first_response']
  )
  assert.equal((await ticketRow(desk, next)).priority, 'High')
  const timers = await desk.db.selectFrom('rule_timers').where('ticket_id', '=', next).select('rule_id').execute()
  assert.ok(timers.length > 1)
})
