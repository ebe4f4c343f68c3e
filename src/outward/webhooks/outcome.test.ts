import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outcome, outcomeOf } from './outcome.ts'

const now = new Date('2026-11-20T08:00:00Z')
const first = { failures: 0, ageSeconds: 0, now, random: 0.5 }

const after = (status: number, retryAfter?: string, circumstances = first) =>
  outcomeOf({ status, retryAfter }, circumstances)

function waitOf(outcome: Outcome): number {
  return outcome.state === 'retrying' ? outcome.inSeconds : Number.NaN
}

test('2xx has arrived, 410 is gone, and all else is tried again, 4xx like 5xx and redirects', () => {
  for (const status of [200, 201, 202, 204, 299]) assert.deepEqual(after(status), { state: 'delivered' })
  for (const status of [300, 301, 307, 400, 401, 404, 409, 429, 500, 503]) {
    assert.equal(after(status).state, 'retrying', String(status))
  }
  assert.equal(outcomeOf(undefined, first).state, 'retrying')
  assert.deepEqual(after(410), { state: 'failed', isGone: true })
})

test('the second try comes within 30 seconds of the first, which may have taken 15', () => {
  for (const random of [0, 0.5, 1]) {
    const wait = waitOf(outcomeOf(undefined, { ...first, random }))
    assert.ok(wait >= 5 && wait + 15 + 2 <= 30, String(wait))
  }
})

test('tries are spread over three days, further and further apart, never two webhooks in step', () => {
  for (const random of [0, 0.5, 1]) {
    let [failures, ageSeconds] = [0, 0]
    for (;;) {
      const outcome = outcomeOf(undefined, { failures, ageSeconds, now, random })
      if (outcome.state !== 'retrying') break
      failures += 1
      ageSeconds += outcome.inSeconds
    }
    assert.ok(failures >= 10 && failures <= 20, String(failures))
    assert.ok(ageSeconds > 2 * 86_400 && ageSeconds < 4 * 86_400, String(ageSeconds / 86_400))
  }
  assert.notEqual(
    waitOf(outcomeOf(undefined, { ...first, random: 0 })),
    waitOf(outcomeOf(undefined, { ...first, random: 1 }))
  )
  assert.equal(outcomeOf(undefined, { ...first, ageSeconds: 3 * 86_400 }).state, 'failed')
})

test('who says when to come back is left alone until then, for a day at most', () => {
  const waits = [
    ['120', 120],
    ['1', 8],
    ['Fri, 20 Nov 2026 08:10:00 GMT', 600],
    ['Fri, 20 Nov 2020 08:10:00 GMT', 8],
    ['99999999999', 86_400],
    ['soon', 8],
    ['-5', 8],
    ['', 8],
    ['1e9', 8]
  ] as const
  for (const [retryAfter, seconds] of waits) {
    for (const status of [429, 503, 404]) assert.equal(waitOf(after(status, retryAfter)), seconds, retryAfter)
  }
})
