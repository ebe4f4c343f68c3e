import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSupporter } from '../../../test/support/people.ts'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'

const { desk, admin, berlin, opened, at, clockTo } = await bootSlaDesk()
const grace = await aSupporter(desk, 'tickets.view_all')
await clockTo('2026-03-09T07:00:00Z')
await aPolicy(desk, admin, berlin, { targets: targets('first_response', { Medium: 240 }, berlin), warn_minutes: 30 })
await desk.post('/api/admin/settings/update', admin, { time_zone: 'Europe/Berlin' })

/** The words of the e-mails that this member of staff got, since it was last asked. */
async function emails(): Promise<string[]> {
  await desk.deliver({ early: true })
  const sent = desk.outbox.emails.splice(0)
  return sent.filter(({ to }) => to.includes(grace.email)).map(({ text }) => text)
}

test('S16, S17: whoever has a ticket is warned, and told when it was due', async () => {
  const ticket = await opened('2026-03-09T08:00:00Z')
  await at('2026-03-09T08:01:00Z', '/api/admin/tickets/assign', { id: ticket, staff_id: grace.id })
  await clockTo('2026-03-09T08:30:00Z')
  await emails()
  await clockTo('2026-03-09T11:45:00Z')
  const warned = await emails()
  await clockTo('2026-03-09T13:00:00Z')
  const late = await emails()

  assert.match(warned.join(), /is due soon, at 2026-03-09,? 13:00/)
  assert.match(late.join(), /it was due at 2026-03-09,? 13:00/)
  assert.doesNotMatch(late.join(), /due soon/)
})
