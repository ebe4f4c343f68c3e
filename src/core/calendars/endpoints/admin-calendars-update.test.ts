import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk({ config: { TEST_CLOCK: true } })
const admin = await anAdmin(desk)
await desk.post('/api/test/clock', admin, { now: '2026-03-10T09:00:00Z' })

let serial = 0
const nineToFive = [['09:00', '17:00']]
const office = { mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive }
const call = async (verb: string, body: object) => await desk.post(`/api/admin/calendars/${verb}`, admin, body)

async function aCalendar(more: object = {}) {
  const weeks = [{ valid_from: null, hours: office }]
  const given = { name: `Berlin ${++serial}`, time_zone: 'Europe/Berlin', weeks, ...more }
  const reply = await call('create', given)
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.calendar
}

test('C5: what changes dates before today is a 409 unless recompute_past is said', async () => {
  const { id, weeks } = await aCalendar({ days: [{ date: '2026-03-09', name: 'Was closed', hours: [] }] })
  const nine = [['08:00', '12:00']]
  const past: object[] = [
    { weeks: [{ valid_from: null, hours: { mon: nine } }] },
    { weeks: [...weeks, { valid_from: '2026-03-09', hours: { mon: nine } }] },
    { days: [] },
    { days_of: [2026], days: [{ date: '2026-03-09', name: 'Was closed', hours: nine }] },
    { time_zone: 'America/New_York' },
    { is_always: 1 }
  ]
  const future: object[] = [
    { days_of: [2027], days: [{ date: '2027-01-01', name: 'New Year', hours: [] }] },
    { weeks: [...weeks, { valid_from: '2026-03-10', hours: { mon: nine } }] }
  ]

  for (const change of past) {
    const reply = await call('update', { id, ...change })
    assert.deepEqual([reply.status, reply.body.reason], [409, 'changes_past'], JSON.stringify(change))
  }
  assert.equal((await call('detail', { id })).data.calendar.version, 1)
  for (const change of future) assert.equal((await call('update', { id, ...change })).status, 200)
  const forced = await call('update', { id, ...past[0], recompute_past: 1 })
  assert.deepEqual([forced.status, forced.data.calendar.version], [200, 4])
})

test('C5: a day sent as closed is the same as one left out, so that nothing changes', async () => {
  const { id, weeks } = await aCalendar()
  const closed = [{ valid_from: null, hours: { ...office, sat: [], sun: [] } }]
  const told = await aCalendar({ weeks: closed })

  const sent = await call('update', { id, weeks: closed })
  const left = await call('update', { id: told.id, weeks })
  const more = [{ valid_from: '2026-03-10', hours: { mon: [['08:00', '12:00']] } }]
  const later = await call('update', { id, weeks: [...closed, ...more] })

  assert.deepEqual([sent.status, sent.data?.calendar.version], [200, 1], sent.body.message)
  assert.deepEqual([left.status, left.data?.calendar.version], [200, 1], left.body.message)
  assert.deepEqual([later.status, later.data?.calendar.version], [200, 2], later.body.message)
})

test('today is that of the calendar’s own zone', async () => {
  // In Auckland it is 22:00 on 10 March, in Honolulu 23:00 on 9 March.
  const days = [{ date: '2026-03-09', name: 'Closed', hours: [] }]
  const auckland = await aCalendar({ time_zone: 'Pacific/Auckland' })
  const honolulu = await aCalendar({ time_zone: 'Pacific/Honolulu' })

  assert.equal((await call('days', { id: auckland.id, year: 2026, days })).status, 409)
  assert.equal((await call('days', { id: honolulu.id, year: 2026, days })).status, 200)
})
