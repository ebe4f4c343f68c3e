import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const path = '/api/admin/settings/update'

test('the time zone of the desk is UTC until an admin names another, spelt as it is called', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)

  const before = await desk.post('/api/admin/settings', admin)
  const changed = await desk.post(path, admin, { time_zone: 'europe/berlin' })
  const alias = await desk.post(path, admin, { time_zone: 'Asia/Kolkata' })

  assert.equal(before.data.settings.time_zone, 'UTC')
  assert.equal(changed.data.settings.time_zone, 'Europe/Berlin')
  assert.equal(alias.data.settings.time_zone, 'Asia/Kolkata')
})

test('an unknown zone and a fixed offset are refused, and nothing is written', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)
  const before = await desk.rowCounts()

  for (const time_zone of ['Mars/Olympus', '+02:00', '-0530', 'Etc/GMT+5', 'x'.repeat(101), 2]) {
    const reply = await desk.post(path, admin, { time_zone, name: 'Renamed' })
    assert.deepEqual([reply.status, reply.body.errors], [400, ['time_zone']], String(time_zone))
  }

  assert.deepEqual(await desk.rowCounts(), before)
})

test('the calendars of a new desk take its zone, once, unless somebody has changed or made them', async () => {
  const desk = await bootDesk()
  const admin = await anAdmin(desk)
  const zones = async () => {
    const { calendars } = (await desk.post('/api/admin/calendars/list', admin)).data
    return Object.fromEntries(calendars.map((each: { name: string; time_zone: string }) => [each.name, each.time_zone]))
  }
  const { calendars } = (await desk.post('/api/admin/calendars/list', admin)).data
  const always = calendars.find(({ is_always }: { is_always: number }) => is_always === 1)
  await desk.post('/api/admin/calendars/update', admin, { id: always.id, name: 'Round the clock' })
  const weeks = [{ valid_from: null, hours: { mon: [['09:00', '17:00']] } }]
  await desk.post('/api/admin/calendars/create', admin, { name: 'Own', time_zone: 'UTC', weeks })

  await desk.post(path, admin, { time_zone: 'Europe/Berlin' })
  const first = await zones()
  await desk.post(path, admin, { time_zone: 'America/New_York' })

  assert.deepEqual(first, { 'Mon–Fri 9–17': 'Europe/Berlin', Own: 'UTC', 'Round the clock': 'UTC' })
  assert.deepEqual(await zones(), first)
})
