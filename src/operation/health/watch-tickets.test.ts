import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootReportsDesk } from '../../../test/support/reports.ts'
import { aCalendar, aPolicy } from '../../../test/support/sla.ts'
import { watchTickets } from './watch-tickets.ts'

const { desk, admin, aMonth, opened, staff } = await bootReportsDesk()

test('what waits is measured without the tickets in the trash: open ones, unanswered ones, and promises that are late', async () => {
  const allDay = [['00:00', '24:00']]
  const hours = { mon: allDay, tue: allDay, wed: allDay, thu: allDay, fri: allDay, sat: allDay, sun: allDay }
  await aPolicy(desk, admin, await aCalendar(desk, { time_zone: 'UTC', hours }))
  const { at } = aMonth()
  await at(2)
  const ids = [await opened(), await opened(), await opened()]
  await at(5)
  await staff('delete', { id: ids[0] })
  await staff('reply', { id: ids[1], message: 'Here' })
  watchTickets(desk.services)

  const told = await desk.services.metrics.registry.metrics()
  const measured = (name: string) => Number(new RegExp(`^deskline_${name} (\\d+)$`, 'm').exec(told)?.[1])

  assert.deepEqual([measured('tickets_open'), measured('tickets_unanswered')], [2, 1])
  assert.equal(measured('oldest_unanswered_seconds'), 3 * 86_400)
  const late = await desk.db
    .selectFrom('sla_clocks')
    .where('ended_at', 'is', null)
    .where('breached_at', 'is not', null)
    .select('ticket_id')
    .execute()
  const seen = late.filter(({ ticket_id }) => ticket_id !== ids[0])
  assert.ok(seen.length > 0 && seen.length < late.length)
  assert.equal(measured('sla_breached'), seen.length)
})
