import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../../test/support/sla-desk.ts'

const { desk, admin, berlin, newYork, opened, clockTo } = await bootSlaDesk()
const allDay = { mon: [['00:00', '24:00']], tue: [['00:00', '24:00']], wed: [['00:00', '24:00']] }
const impact = async (body: object) => {
  const reply = await desk.post('/api/admin/calendars/impact', admin, body)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data
}
const figures = ({ running_clocks, earlier, later, newly_breached, lifted }: Record<string, number>) => ({
  ...{ running_clocks, earlier, later, newly_breached, lifted }
})
const none = { running_clocks: 1, earlier: 0, later: 0, newly_breached: 0, lifted: 0 }

test('the impact of a change of hours is what would be due earlier or later, and nothing is written', async () => {
  await clockTo('2026-03-10T13:00:00Z')
  await aPolicy(desk, admin, berlin, { targets: targets('first_response', { Medium: 240 }, berlin) })
  // Two hours until 17:00 in Berlin, two the next morning.
  const ticket = await opened('2026-03-10T14:00:00Z')
  const holiday = { days_of: [2026], days: [{ date: '2026-03-11', name: 'Closed', hours: [] }] }
  const { weeks } = (await desk.post('/api/admin/calendars/detail', admin, { id: berlin.id })).data.calendar
  const longer = { weeks: [...weeks, { valid_from: '2026-03-10', hours: allDay }] }

  // It was opened just now, and counts already.
  const later = await impact({ id: berlin.id, ...holiday })
  const rows = await desk.rowCounts()
  const earlier = await impact({ id: berlin.id, ...longer })
  const same = await impact({ id: berlin.id, name: 'Renamed' })
  const other = await impact({ id: newYork.id, ...holiday })

  assert.deepEqual(figures(later), { ...none, later: 1 })
  assert.deepEqual(
    later.sample.map((each: { ticket: { id: number } }) => ({ ...each, ticket: each.ticket.id })),
    [{ ticket, metric: 'first_response', was: '2026-03-11T10:00:00.000Z', will_be: '2026-03-12T10:00:00.000Z' }]
  )
  assert.deepEqual(figures(earlier), { ...none, earlier: 1 })
  assert.equal(earlier.sample[0].will_be, '2026-03-10T18:00:00.000Z')
  assert.deepEqual([figures(same), figures(other)], [none, none])
  assert.deepEqual(await desk.rowCounts(), rows)

  await clockTo('2026-03-11T09:00:00Z')
  assert.deepEqual(figures(await impact({ id: berlin.id, ...longer })), { ...none, earlier: 1, newly_breached: 1 })
  await clockTo('2026-03-11T11:00:00Z')
  assert.deepEqual(figures(await impact({ id: berlin.id, ...holiday })), { ...none, later: 1, lifted: 1 })

  // As it is saved.
  await desk.post('/api/admin/calendars/update', admin, { id: berlin.id, ...holiday })
  await clockTo('2026-03-11T11:01:00Z')
  const { clocks } = (await desk.post('/api/admin/tickets/sla', admin, { id: ticket })).data
  assert.deepEqual([clocks[0].state, clocks[0].due_at], ['running', '2026-03-12T10:00:00.000Z'])
})

test('what cannot be saved has no impact', async () => {
  const bad = await desk.post('/api/admin/calendars/impact', admin, { id: berlin.id, time_zone: '+02:00' })
  const unknown = await desk.post('/api/admin/calendars/impact', admin, { id: 4_711 })

  assert.deepEqual([bad.status, bad.body.errors, unknown.status], [400, ['time_zone'], 404])
})
