import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootReportsDesk } from '../../../test/support/reports.ts'
import { transaction } from '../../core/db.ts'
import type { Failure } from '../../kit/errors.ts'
import { reportFor } from './reports.ts'

const { desk, aMonth, opened, staff, report } = await bootReportsDesk()

test('from so many times on the median and the 90th percentile come from histograms: within 9 %, and marked', async () => {
  const { day, at } = aMonth()
  await at(2)
  const ids: number[] = []
  for (let each = 0; each < 12; each++) ids.push(await opened())
  for (const [each, id] of ids.entries()) {
    await at(2, `12:${String(each * 5).padStart(2, '0')}`)
    await staff('reply', { id, message: 'Here' })
  }
  const question = { from: day(2), to: day(2), by: 'day', group: 'staff', filter: {}, hours: 'clock' } as const
  const ask = async (mostExact: number) =>
    await reportFor(desk.services, 'first-response', question, { mostExact, withinMilliseconds: 3_000 })

  const [exact, about] = [await ask(13), await ask(12)]
  const numbers = ({ totals, series, groups }: typeof exact) => [totals, series[0], groups[0]] as unknown[] as Times[]
  for (const [at, told] of numbers(about).entries()) {
    const { n, mean_seconds, median_seconds, p90_seconds, is_about } = numbers(exact)[at]!
    assert.deepEqual([is_about, told.is_about], [false, true])
    assert.deepEqual([told.n, told.mean_seconds], [n, mean_seconds])
    assert.ok(Math.abs(told.median_seconds / median_seconds - 1) < 0.09, `${told.median_seconds} of ${median_seconds}`)
    assert.ok(Math.abs(told.p90_seconds / p90_seconds - 1) < 0.09, `${told.p90_seconds} of ${p90_seconds}`)
  }
})

interface Times {
  n: number
  mean_seconds: number
  median_seconds: number
  p90_seconds: number
  is_about: boolean
}

test('a report that takes too long is refused with a word about a shorter time, not waited for', async () => {
  const { day } = aMonth()
  const question = { from: day(1), to: day(2), by: 'day', group: null, filter: {}, hours: 'clock' } as const
  const limits = { mostExact: 50_000, withinMilliseconds: 50 }
  // Another one: that which was asked before is kept.
  await report('backlog', { from: day(1), to: day(2) })

  await transaction(desk.db, async db => {
    await sql`lock table report_days in access exclusive mode`.execute(db)
    await assert.rejects(reportFor(desk.services, 'volume', question, limits), (error: Failure) => {
      assert.deepEqual([error.status, error.errors], [400, ['from', 'to']])
      assert.match(error.message, /ask for a shorter time/)
      return true
    })
  })
  assert.deepEqual((await reportFor(desk.services, 'volume', question)).totals, { opened: 0, closed: 0, reopened: 0 })
})
