import assert from 'node:assert/strict'
import { test } from 'node:test'

// What the pages ask of a browser when they begin.
Object.assign(globalThis, {
  document: { documentElement: {} },
  localStorage: { getItem: () => 'en' },
  location: { reload() {} }
})
Object.defineProperty(navigator, 'languages', { value: ['en-US'], configurable: true })
const page = (file: string) => import(new URL(`../web/src/${file}`, import.meta.url).href)

test('a browser from the United States gets its own order of month and day on all pages', async () => {
  const [{ dateOf }, hours, due] = await Promise.all(
    ['lib/times.ts', 'console/admin/hours/calendar-dates.ts', 'console/due/explained-steps.ts'].map(page)
  )

  assert.equal(dateOf(new Date(2020, 11, 24)), 'Dec 24, 2020')
  assert.equal(hours.dateText('2020-12-24'), 'Dec 24, 2020')
  assert.equal(hours.dayAndDateText('2020-12-24'), 'Thu Dec 24')
  assert.match(due.momentText('2020-12-24 12:00:00'), /^Dec 24, /)
})
