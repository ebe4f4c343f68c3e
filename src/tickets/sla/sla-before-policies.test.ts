import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'

const { desk, admin, client, berlin, at, opened, clockTo, clocksOf } = await bootSlaDesk()

// In March 2026 the office in Berlin is open from 08:00 to 16:00 UTC. The 9th is a Monday.

const standard = {
  targets: [
    ...targets('first_response', { Medium: 240 }, berlin),
    ...targets('next_response', { Medium: 300 }, berlin),
    ...targets('resolution', { Medium: 960 }, berlin)
  ]
}

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
