import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

// The pages ask the browser for its country once, when they begin, so this one begins in a process of its own.
const page = `
Object.assign(globalThis, {
  document: { documentElement: {} },
  localStorage: { getItem: () => 'en' },
  location: { reload() {} }
})
Object.defineProperty(navigator, 'languages', { value: ['en-US'] })
const load = file => import(new URL(file, '${new URL('../web/src/', import.meta.url)}'))
const { dateOf } = await load('lib/times.ts')
const hours = await load('console/admin/hours/calendar-dates.ts')
const due = await load('console/due/explained-steps.ts')
process.stdout.write(JSON.stringify([
  dateOf(new Date(2020, 11, 24)),
  hours.dateText('2020-12-24'),
  hours.dayAndDateText('2020-12-24'),
  due.momentText('2020-12-24 12:00:00')
]))`

test('a browser from the United States gets its own order of month and day on all pages', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', page])

  const [date, dateOfHours, dayAndDate, moment] = JSON.parse(stdout)
  assert.deepEqual([date, dateOfHours, dayAndDate], ['Dec 24, 2020', 'Dec 24, 2020', 'Thu Dec 24'])
  assert.match(moment, /^Dec 24, /)
})
