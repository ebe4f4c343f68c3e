import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minuteOracle } from '../../../test/support/minute-oracle.ts'
import { calendarNear } from '../../../test/support/random-calendars.ts'
import type { CalendarHours, Day, WeekHours } from './hours.ts'
import { openTimeOf, type Step, whyClosed } from './open-time.ts'

const minute = 60_000
const hour = 60 * minute
const nineToFive = [['09:00', '17:00']] as const
const office: WeekHours = { mon: nineToFive, tue: nineToFive, wed: nineToFive, thu: nineToFive, fri: nineToFive }
const berlin = calendar(office)

test('C1: time counts from the opening until before the closing, by the clock on the wall', () => {
  const open = openTimeOf(berlin)

  // In winter 09:00 in Berlin is 08:00 UTC.
  assert.equal(open.between(at('2026-03-10T07:59:59.999Z'), at('2026-03-10T08:00:00.001Z')), 1)
  assert.equal(open.between(at('2026-03-10T15:59:59.999Z'), at('2026-03-10T16:00:00.001Z')), 1)
  assert.equal(open.between(at('2026-03-09T00:00Z'), at('2026-03-16T00:00Z')), 40 * hour)
  assert.equal(open.between(at('2026-03-10T12:00Z'), at('2026-03-10T10:00Z')), 0)
})

test('C1: summer time moves the hours with the clock on the wall', () => {
  const open = openTimeOf(berlin)

  assert.equal(open.add(at('2026-03-27T15:30Z'), 4 * hour)?.toISOString(), '2026-03-30T10:30:00.000Z')
})

test('C2: an hour that summer time skips does not count, one that it repeats counts twice', () => {
  const night = calendar({ sun: [['01:00', '04:00']] })

  assert.equal(openTimeOf(night).between(at('2026-03-28T12:00Z'), at('2026-03-29T12:00Z')), 2 * hour)
  assert.equal(openTimeOf(night).between(at('2026-10-24T12:00Z'), at('2026-10-25T12:00Z')), 4 * hour)
})

test('C2: hours that begin at a missing 02:30 begin at 03:00', () => {
  const open = openTimeOf(calendar({ sun: [['02:30', '05:00']] }))

  const [, counted] = open.steps(at('2026-03-29T00:00Z'), at('2026-03-29T03:00Z'))

  assert.equal(counted!.from.toISOString(), '2026-03-29T01:00:00.000Z')
  assert.equal(counted!.milliseconds, 2 * hour)
})

test('C3: the local date chooses: its own row, else the week with the latest valid_from', () => {
  const open = openTimeOf({
    ...berlin,
    weeks: [
      { valid_from: null, hours: office },
      { valid_from: '2026-07-06', hours: { mon: [['12:00', '13:00']] } },
      { valid_from: '2026-07-01', hours: { mon: [['08:00', '16:00']], wed: [['08:00', '10:00']] } }
    ],
    days: [holiday('2026-07-08', 'Inventory', [['06:00', '06:30']])]
  })

  const countedOn = (date: string) => open.between(at(`${date}T00:00+02:00`), at(`${date}T24:00+02:00`)) / hour
  assert.deepEqual(
    ['2026-06-30', '2026-07-01', '2026-07-02', '2026-07-06', '2026-07-07', '2026-07-08'].map(countedOn),
    [8, 2, 0, 1, 0, 0.5]
  )
})

test('C4: hours over midnight are two spans, and a holiday takes only its own date', () => {
  const open = openTimeOf({
    ...calendar({ sat: [['22:00', '24:00']], sun: [['00:00', '06:00']] }),
    days: [holiday('2026-05-03', 'Closed', [])]
  })

  assert.equal(open.between(at('2026-05-09T12:00Z'), at('2026-05-10T12:00Z')), 8 * hour)
  assert.equal(open.between(at('2026-05-02T12:00Z'), at('2026-05-03T12:00Z')), 2 * hour)
  // The two are one stretch.
  assert.deepEqual(
    open.steps(at('2026-05-09T20:00Z'), at('2026-05-10T04:00Z')).map(step => step.milliseconds),
    [8 * hour]
  )
})

test('S2: due is the closing time of a day, not the opening of the next', () => {
  const open = openTimeOf(berlin)

  assert.equal(open.add(at('2026-03-10T14:00Z'), 2 * hour)?.toISOString(), '2026-03-10T16:00:00.000Z')
  assert.equal(open.add(at('2026-03-10T14:00Z'), 2 * hour + 1)?.toISOString(), '2026-03-11T08:00:00.001Z')
  assert.equal(open.add(at('2026-03-10T22:00Z'), 0)?.toISOString(), '2026-03-10T22:00:00.000Z')
})

test('S18: without an open minute in the next five years nothing is ever due', () => {
  const never = openTimeOf(calendar({}))
  const once = openTimeOf({ ...calendar({}), days: [holiday('2031-03-10', 'Once', [['09:00', '10:00']])] })
  const rarely = openTimeOf({
    ...calendar({}),
    days: ['2030-01-07', '2034-01-09', '2038-01-11'].map(date => holiday(date, 'Fair', [['09:00', '10:00']]))
  })

  assert.equal(never.add(at('2026-03-10T09:00Z'), minute), null)
  assert.equal(once.add(at('2026-03-10T09:00Z'), hour)?.toISOString(), '2031-03-10T09:00:00.000Z')
  assert.equal(once.add(at('2026-03-09T07:00Z'), hour), null)
  assert.equal(once.add(at('2026-03-10T09:00Z'), hour + 1), null)
  assert.equal(rarely.add(at('2026-03-10T09:00Z'), 3 * hour)?.toISOString(), '2038-01-11T09:00:00.000Z')
})

test('a calendar opens at the beginning of its next span, not at the turn of a year', () => {
  const office = openTimeOf(berlin)
  const shop = openTimeOf({
    ...calendar({ thu: [['09:00', '24:00']], fri: [['00:00', '24:00']], sat: [['00:00', '24:00']] }),
    time_zone: 'UTC'
  })

  assert.equal(office.opensAfter(at('2026-03-09T08:00Z'))?.toISOString(), '2026-03-10T08:00:00.000Z')
  assert.equal(office.opensAfter(at('2026-03-13T12:00Z'))?.toISOString(), '2026-03-16T08:00:00.000Z')
  // 1 January 2027 is a Friday.
  assert.equal(shop.opensAfter(at('2026-12-31T12:00Z'))?.toISOString(), '2027-01-07T09:00:00.000Z')
  assert.equal(openTimeOf(calendar({})).opensAfter(at('2026-03-13T12:00Z')), null)
})

test('a calendar that is always open counts every millisecond', () => {
  const open = openTimeOf({ ...calendar({}), is_always: true })

  assert.equal(open.between(at('2026-03-29T00:00Z'), at('2026-03-30T00:00Z')), 24 * hour)
  assert.equal(open.add(at('2026-03-29T00:00Z'), hour)?.toISOString(), '2026-03-29T01:00:00.000Z')
  assert.deepEqual(summary(open.steps(at('2026-03-29T00:00Z'), at('2026-03-30T00:00Z'))), [
    ['2026-03-30T00:00Z', 'counted', 1440]
  ])
})

test('steps over Easter name what closes the office', () => {
  const open = openTimeOf({
    ...berlin,
    days: [holiday('2026-04-03', 'Good Friday', []), holiday('2026-04-06', 'Easter Monday', [])]
  })

  const due = open.add(at('2026-04-02T14:00Z'), 4 * hour)!

  assert.deepEqual(summary(open.steps(at('2026-04-02T14:00Z'), due)), [
    ['2026-04-02T15:00Z', 'counted', 60],
    ['2026-04-02T22:00Z', 'outside hours', 420],
    ['2026-04-03T22:00Z', 'Good Friday', 1440],
    ['2026-04-05T22:00Z', 'weekend', 2880],
    ['2026-04-06T22:00Z', 'Easter Monday', 1440],
    ['2026-04-07T07:00Z', 'outside hours', 540],
    ['2026-04-07T10:00Z', 'counted', 180]
  ])
})

test('steps name lunch, other breaks, and a short day by what it takes away', () => {
  const open = openTimeOf({
    ...calendar({
      wed: [
        ['08:00', '09:30'],
        ['10:00', '12:30'],
        ['13:00', '17:00']
      ],
      thu: [['09:00', '17:00']]
    }),
    days: [holiday('2026-12-24', 'Christmas Eve', [['09:00', '12:00']])]
  })

  assert.deepEqual(summary(open.steps(at('2026-12-23T07:00Z'), at('2026-12-25T00:00Z'))), [
    ['2026-12-23T08:30Z', 'counted', 90],
    ['2026-12-23T09:00Z', 'break', 30],
    ['2026-12-23T11:30Z', 'counted', 150],
    ['2026-12-23T12:00Z', 'lunch', 30],
    ['2026-12-23T16:00Z', 'counted', 240],
    ['2026-12-24T08:00Z', 'outside hours', 960],
    ['2026-12-24T11:00Z', 'counted', 180],
    ['2026-12-24T23:00Z', 'Christmas Eve', 720],
    ['2026-12-25T00:00Z', 'outside hours', 60]
  ])
})

test('between is what counting minute by minute with Intl says, in every zone', () => {
  fc.assert(
    fc.property(calendarNear, fc.integer({ min: 0, max: 2 * 1440 }), ({ hours, near }, minutes) => {
      const [from, to] = [new Date(near), new Date(near + minutes * minute)]
      assert.equal(openTimeOf(hours).between(from, to), minuteOracle(hours).between(near, +to) * minute)
    }),
    { numRuns: 2000 }
  )
})

test('add is what counting minute by minute with Intl says, in every zone', () => {
  fc.assert(
    fc.property(calendarNear, fc.integer({ min: 1, max: 900 }), ({ hours, near }, minutes) => {
      const until = near + 36 * hour
      const expected = minuteOracle(hours).add(near, minutes, until)
      const due = openTimeOf(hours).add(new Date(near), minutes * minute)
      if (expected === undefined) assert.ok(due === null || +due > until)
      else assert.equal(due?.toISOString(), new Date(expected).toISOString())
    }),
    { numRuns: 1000 }
  )
})

test('what is added lies between, and the millisecond before it is due is open', () => {
  fc.assert(
    fc.property(calendarNear, fc.integer({ min: 1, max: 400 * hour }), ({ hours, near }, milliseconds) => {
      const open = openTimeOf(hours)
      const due = open.add(new Date(near), milliseconds)
      if (due === null) return
      assert.equal(open.between(new Date(near), due), milliseconds)
      assert.equal(open.between(new Date(+due - 1), due), 1)
    }),
    { numRuns: 3000 }
  )
})

test('a stretch may be cut anywhere: its parts add up', () => {
  const cut = fc.integer({ min: 0, max: 800 * 24 * hour })
  fc.assert(
    fc.property(calendarNear, cut, cut, ({ hours, near }, one, other) => {
      const open = openTimeOf(hours)
      const [from, middle, to] = [0, Math.min(one, other), Math.max(one, other)].map(each => new Date(near + each))
      assert.equal(open.between(from!, middle!) + open.between(middle!, to!), open.between(from!, to!))
    }),
    { numRuns: 1000 }
  )
})

test('steps follow one another without a gap, and what counts adds up to between', () => {
  fc.assert(
    fc.property(calendarNear, fc.integer({ min: 1, max: 30 * 24 * hour }), ({ hours, near }, milliseconds) => {
      const open = openTimeOf(hours)
      const [from, to] = [new Date(near), new Date(near + milliseconds)]
      const steps = open.steps(from, to)
      const counted = steps.filter(({ kind }) => kind === 'counted')
      assert.deepEqual([steps[0]!.from, ...steps.map(step => step.to)], [...steps.map(step => step.from), to])
      assert.deepEqual(steps[0]!.from, from)
      assert.equal(
        counted.reduce((sum, step) => sum + step.milliseconds, 0),
        open.between(from, to)
      )
      assert.ok(steps.every(step => (step.kind === 'closed') === (whyClosed(step) !== null)))
    }),
    { numRuns: 2000 }
  )
})

test('a new holiday never makes anything due earlier', () => {
  const [milliseconds, days] = [fc.integer({ min: 1, max: 100 * hour }), fc.integer({ min: -2, max: 9 })]
  fc.assert(
    fc.property(calendarNear, milliseconds, days, ({ hours, near }, target, after) => {
      const date = new Date(near + after * 24 * hour).toISOString().slice(0, 10)
      const days = [...hours.days.filter(day => day.date !== date), holiday(date, 'New', [])]
      const before = openTimeOf(hours).add(new Date(near), target)
      const due = openTimeOf({ ...hours, days }).add(new Date(near), target)
      assert.ok(due === null || (before !== null && due >= before))
    }),
    { numRuns: 2000 }
  )
})

function calendar(hours: WeekHours): CalendarHours {
  return { time_zone: 'Europe/Berlin', is_always: false, weeks: [{ valid_from: null, hours }], days: [] }
}

function holiday(date: string, name: string, hours: Day['hours']): Day {
  return { date, name, hours }
}

function at(time: string): Date {
  const date = new Date(time)
  assert.ok(!Number.isNaN(+date), time)
  return date
}

function summary(steps: Step[]) {
  return steps.map(step => [
    step.to.toISOString().replace(':00.000Z', 'Z'),
    whyClosed(step) ?? 'counted',
    step.milliseconds / minute
  ])
}
