import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

let serial = 0
const nineToFive = [['09:00', '17:00']]
const office = { mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive }
const call = async (verb: string, body: object) => await desk.post(`/api/admin/calendars/${verb}`, admin, body)

function berlin(more: object = {}) {
  const weeks = [{ valid_from: null, hours: office }]
  return { name: `Berlin ${++serial}`, time_zone: 'Europe/Berlin', weeks, ...more }
}

async function aCalendar(more: object = {}) {
  const reply = await call('create', berlin(more))
  assert.equal(reply.status, 201, reply.body.message)
  return reply.data.calendar
}

const hours = (mon: unknown) => ({ weeks: [{ valid_from: null, hours: { ...office, mon } }] })

test('a preview tells when something is due, over a weekend with summer time, and why', async () => {
  const { id } = await aCalendar()
  const question = { from: '2026-03-27T15:30:00Z', minutes: 240 }

  const saved = await call('preview', { id, ...question })
  const { name: _name, ...draft } = berlin()
  const unsaved = await call('preview', { calendar: draft, ...question })

  assert.deepEqual(saved.data, {
    due_at: '2026-03-30T10:30:00.000Z',
    steps: [
      step('2026-03-27T15:30', '2026-03-27T16:00', 30),
      step('2026-03-27T16:00', '2026-03-27T23:00', 420, 'outside hours'),
      step('2026-03-27T23:00', '2026-03-29T22:00', 2820, 'weekend'),
      step('2026-03-29T22:00', '2026-03-30T07:00', 540, 'outside hours'),
      step('2026-03-30T07:00', '2026-03-30T10:30', 210)
    ]
  })
  assert.deepEqual(unsaved.data, saved.data)
})

function step(from: string, to: string, minutes: number, why: string | null = null) {
  return { from: `${from}:00.000Z`, to: `${to}:00.000Z`, kind: why ? 'closed' : 'counted', minutes, why }
}

test('a preview of nothing, of both, of bad hours or of bad times is refused', async () => {
  const { id } = await aCalendar()
  const question = { from: '2026-03-27T15:30:00Z', minutes: 240 }
  const bad: [object, number, string][] = [
    [question, 400, 'id'],
    [{ ...question, id, calendar: berlin() }, 400, 'id'],
    [{ ...question, calendar: berlin(hours([['17:00', '09:00']])) }, 400, 'weeks.0.hours.mon'],
    [{ ...question, id, from: '2026-03-27T15:30:00' }, 400, 'from'],
    [{ ...question, id, from: '9999-03-27T15:30:00Z' }, 400, 'from'],
    [{ ...question, id, minutes: 0 }, 400, 'minutes'],
    [{ ...question, id, minutes: 525_601 }, 400, 'minutes']
  ]

  for (const [body, status, error] of bad) {
    const reply = await call('preview', body)
    assert.deepEqual([reply.status, reply.body.errors[0]], [status, error], JSON.stringify(body))
  }
  assert.equal((await call('preview', { ...question, id: 999_999 })).status, 404)
})
