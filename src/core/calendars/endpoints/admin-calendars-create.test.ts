import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const nineToFive = [['09:00', '17:00']]
const office = { mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive }

const hours = (mon: unknown) => ({ weeks: [{ valid_from: null, hours: { ...office, mon } }] })
const day = (date: string, more: object = {}) => ({ days: [{ date, name: 'Day', hours: [], ...more }] })
const bad: [what: string, given: object, error: string][] = [
  ['an unknown zone', { time_zone: 'Europe/Atlantis' }, 'time_zone'],
  ['a fixed offset as a zone', { time_zone: '+02:00' }, 'time_zone'],
  ['a fixed offset under a name', { time_zone: 'Etc/GMT-2' }, 'time_zone'],
  ['a span that ends before it begins', hours([['17:00', '09:00']]), 'weeks.0.hours.mon'],
  ['an empty span', hours([['09:00', '09:00']]), 'weeks.0.hours.mon'],
  [
    'an overlap',
    hours([
      ['09:00', '12:00'],
      ['11:59', '17:00']
    ]),
    'weeks.0.hours.mon'
  ],
  ['25:00', hours([['09:00', '25:00']]), 'weeks.0.hours.mon'],
  ['24:30', hours([['09:00', '24:30']]), 'weeks.0.hours.mon'],
  ['a span that begins at 24:00', hours([['24:00', '24:00']]), 'weeks.0.hours.mon'],
  ['half a span', hours([['09:00']]), 'weeks.0.hours.mon'],
  [
    'more than ten spans',
    hours(Array.from({ length: 11 }, (_, at) => [clock(at), clock(at, 30)])),
    'weeks.0.hours.mon'
  ],
  ['hours that are no list', hours('09:00-17:00'), 'weeks'],
  [
    'an unknown day of the week',
    { weeks: [{ valid_from: null, hours: { ...office, saturday: nineToFive } }] },
    'weeks'
  ],
  [
    'a week from a date that does not exist',
    { weeks: [{ valid_from: '2026-02-30', hours: office }] },
    'weeks.0.valid_from'
  ],
  [
    'two weeks from the same date',
    {
      weeks: [
        { valid_from: '2026-07-01', hours: office },
        { valid_from: '2026-07-01', hours: {} }
      ]
    },
    'weeks.1.valid_from'
  ],
  ['a date that does not exist', day('2026-02-30'), 'days.2026-02-30'],
  ['a date of another form', day('24.12.2026'), 'days.24.12.2026'],
  ['a date twice', { days: [...day('2026-12-24').days, ...day('2026-12-24').days] }, 'days.2026-12-24'],
  [
    'an overlap on a date',
    day('2026-12-24', {
      hours: [
        ['09:00', '12:00'],
        ['10:00', '11:00']
      ]
    }),
    'days.2026-12-24'
  ],
  ['a day without a name', day('2026-12-24', { name: ' ' }), 'days.2026-12-24'],
  ['a name that cannot be stored', day('2026-12-24', { name: 'A\u0000' }), 'days.2026-12-24'],
  ['no open minute in the next 400 days', { weeks: [{ valid_from: null, hours: {} }] }, 'weeks'],
  ['no hours at all', { weeks: [] }, 'weeks'],
  ['a name of two lines', { name: 'A\nB' }, 'name']
]

for (const [what, given, error] of bad) {
  test(`${what} is a 400 that names the day where there is one, and nothing is written`, async () => {
    const before = await desk.rowCounts()

    const calendar = {
      name: 'Berlin',
      time_zone: 'Europe/Berlin',
      weeks: [{ valid_from: null, hours: office }],
      ...given
    }
    const created = await desk.post('/api/admin/calendars/create', admin, calendar)

    assert.equal(created.status, 400, created.body.message)
    assert.deepEqual(created.body.errors, [error])
    assert.ok(created.body.message.length > 10)
    assert.deepEqual(await desk.rowCounts(), before)
  })
}

function clock(hour: number, minute = 0): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
