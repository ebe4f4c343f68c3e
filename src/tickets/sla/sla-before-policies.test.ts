import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient } from '../../../test/support/people.ts'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'
import { aTicket } from '../../../test/support/tickets.ts'

const { desk, admin, client, berlin, at, opened, clockTo, clocksOf } = await bootSlaDesk()

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC. The 9th is a Monday.

const standard = {
  targets: [
    ...targets('first_response', { Medium: 240 }, berlin),
    ...targets('next_response', { Medium: 300 }, berlin),
    ...targets('resolution', { Medium: 960 }, berlin)
  ]
}

/** A ticket of two messages whose client is anonymized, while there is no policy. */
const erasedBefore = await (async () => {
  const ada = await aClient(desk)
  await clockTo('2026-03-09T07:30:00Z')
  const { ticket_id: id } = await aTicket(desk, ada)
  await at('2026-03-09T07:31:00Z', '/api/tickets/reply', { id, message: 'Another matter' }, ada)
  const { email } = (await at('2026-03-09T07:32:00Z', '/api/admin/clients/detail', { id: ada.id })).client
  const erasure = { id: ada.id, mode: 'anonymize', confirm_email: email }
  const { status } = await desk.post('/api/admin/clients/delete', admin, erasure)
  return { id: id as number, erased: status }
})()

const running = async (ticket: number) =>
  (await clocksOf(ticket))
    .filter(({ metric, state }) => metric !== 'resolution' && state === 'running')
    .map(({ metric, due_at }) => [metric, due_at])

test('S13, S14: what was merged and split before there was a policy waits on, once there is one', async () => {
  const [first, source, target] = [
    await opened('2026-03-09T08:00:00Z'),
    await opened('2026-03-09T08:20:00Z'),
    await opened('2026-03-09T08:40:00Z')
  ]
  await at('2026-03-09T08:50:00Z', '/api/admin/tickets/reply', { id: source, message: 'We look' })
  await at('2026-03-09T08:50:00Z', '/api/admin/tickets/reply', { id: target, message: 'We look' })
  await at('2026-03-09T09:00:00Z', '/api/admin/tickets/merge', { id: first, into_id: source })
  await at('2026-03-09T09:10:00Z', '/api/admin/tickets/merge', { id: source, into_id: target })

  const whole = await opened('2026-03-09T09:15:00Z')
  await at('2026-03-09T09:20:00Z', '/api/tickets/reply', { id: whole, message: 'Another matter' }, client)
  const { messages } = await at('2026-03-09T09:30:00Z', '/api/admin/tickets/detail', { id: whole })
  const split = { id: whole, message_ids: [messages[1].id], subject: 'The other matter' }
  const { ticket_id: part } = await at('2026-03-09T09:40:00Z', '/api/admin/tickets/split', split)

  await clockTo('2026-03-09T10:00:00Z')
  await aPolicy(desk, admin, berlin, { ...standard, apply_to_open: 1 })
  await clockTo('2026-03-09T10:00:06Z')

  assert.deepEqual(await running(target), [['next_response', '2026-03-09T13:00:00.000Z']])
  assert.deepEqual(await running(whole), [['first_response', '2026-03-09T13:15:00.000Z']])
  assert.deepEqual(await running(part), [['first_response', '2026-03-09T13:20:00.000Z']])
})

test('S15: of a client who was anonymized before there was a policy, or whose ticket is split since, no clock begins', async () => {
  const { erased, id } = erasedBefore

  const impact = await at('2026-03-09T11:00:00Z', '/api/admin/sla-policies/impact', { warn_minutes: 20 })
  const { messages } = await at('2026-03-09T11:00:00Z', '/api/admin/tickets/detail', { id })
  const split = { id, message_ids: [messages[1].id], subject: 'The other matter' }
  const { ticket_id: part } = await at('2026-03-09T11:00:00Z', '/api/admin/tickets/split', split)
  await at('2026-03-09T11:30:00Z', '/api/admin/tickets/update', { id, priority: 'High' })
  await clockTo('2026-03-09T11:30:06Z')

  assert.deepEqual([await clocksOf(id), await clocksOf(part)], [[], []])
  const rows = await desk.db.selectFrom('sla_clocks').where('ticket_id', 'in', [id, part]).select('id').execute()
  assert.deepEqual([erased, rows], [200, []])
  // Those of the three tickets above.
  assert.equal(impact.running_clocks, 6)
})
