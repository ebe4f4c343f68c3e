import assert from 'node:assert/strict'
import { test } from 'node:test'

type Text = (instant: Date, now: number) => string

// What the pages ask of a browser when they begin.
Object.assign(globalThis, {
  document: { documentElement: {} },
  localStorage: { getItem: () => 'en' },
  location: { reload() {} }
})
Object.defineProperty(navigator, 'languages', { value: ['en-GB'] })
const file = new URL('../web/src/lib/times.ts', import.meta.url).href
const times: Record<'shortTime' | 'timeInText' | 'dayText' | 'dayInText' | 'comingTimeInText', Text> = await import(
  file
)
const now = new Date(2026, 10, 29, 14, 32).getTime()
const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, 29 + day, hours, minutes)

test('a time to come is not one of today: its day stands before it', () => {
  assert.deepEqual(
    [-1, 0, 1, 2].map(day => times.shortTime(at(day, 23), now)),
    ['Yesterday, 23:00', '23:00', '30 Nov, 23:00', '1 Dec, 23:00']
  )
  assert.deepEqual(
    [-1, 0, 1, 90].map(day => times.dayText(at(day, 0, 10), now)),
    ['28 Nov', 'Today', '30 Nov', '27 Feb 2027']
  )
})

test('within a sentence a day begins small', () => {
  assert.deepEqual(
    [times.timeInText(at(-1, 9), now), times.timeInText(at(-2, 9), now)],
    ['yesterday, 09:00', '27 Nov, 09:00']
  )
  assert.deepEqual([times.dayInText(at(0, 9), now), times.dayInText(at(90, 9), now)], ['today', '27 Feb 2027'])
  assert.deepEqual(
    [times.comingTimeInText(at(0, 16), now), times.comingTimeInText(at(1, 9), now)],
    ['today, 16:00', 'Mon 30 Nov, 09:00']
  )
})
