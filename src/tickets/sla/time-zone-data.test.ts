import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPolicy } from '../../../test/support/sla.ts'
import { bootSlaDesk, targets } from '../../../test/support/sla-desk.ts'
import { recountByTimeZoneData } from './time-zone-data.ts'

const { desk, admin, berlin, newYork, opened, clockTo, clocksOf, toldOf } = await bootSlaDesk()
const { db, services } = desk

await clockTo('2026-03-09T07:00:00Z')
await aPolicy(desk, admin, berlin, { targets: targets('first_response', { Medium: 240 }, berlin) })

async function changesTold(calendar: { id: number }) {
  const events = await db
    .selectFrom('events')
    .where('kind', '=', 'calendar.changed')
    .where('subject_id', '=', calendar.id)
    .select(['actor_type', 'before', 'after'])
    .execute()
  return events.map(({ actor_type, before, after }) => [actor_type, before, after])
}

test('S11: other data of time zones at a start have running clocks counted again, once for processes that start together', async () => {
  const ticket = await opened('2026-03-09T08:00:00Z')
  await toldOf(ticket)
  await recountByTimeZoneData(services, '2026a')
  await recountByTimeZoneData(services, '2026a')
  const first = await changesTold(berlin)
  // As if the clocks on the walls of Berlin had gone otherwise by the former data.
  const elsewhere = new Date('2026-03-09T13:00:00Z')
  await db.updateTable('sla_clocks').where('ticket_id', '=', ticket).set({ due_at: elsewhere }).execute()
  const before = await clocksOf(ticket)

  await Promise.all([recountByTimeZoneData(services, '2026b'), recountByTimeZoneData(services, '2026b')])
  await recountByTimeZoneData(services, '2026b')
  await clockTo('2026-03-09T08:00:06Z')

  assert.deepEqual(first, [])
  assert.equal(before[0]!.due_at, '2026-03-09T13:00:00.000Z')
  assert.equal((await clocksOf(ticket))[0]!.due_at, '2026-03-09T12:00:00.000Z')
  assert.deepEqual((await toldOf(ticket)).map(([kind, { from, to, cause }]) => [kind, from, to, cause]).slice(1), [
    ['sla.due_changed', '2026-03-09T13:00:00.000Z', '2026-03-09T12:00:00.000Z', 'calendar']
  ])
  const named = { name: berlin.name, version: 1 }
  assert.deepEqual(await changesTold(berlin), [
    ['system', { ...named, time_zone_data: '2026a' }, { ...named, time_zone_data: '2026b' }]
  ])
  assert.deepEqual(await changesTold(newYork), [])
  assert.equal((await db.selectFrom('sla_recomputations').select('id').execute()).length, 1)
})

test('the data of time zones are no setting that anybody has changed', async () => {
  const { settings, version } = (await desk.post('/api/admin/settings/detail', admin)).data

  assert.equal(version, 1)
  assert.equal('time_zone_data' in settings, false)
})
