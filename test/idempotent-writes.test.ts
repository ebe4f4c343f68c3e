import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import { acceptsIdempotencyKeys } from '../src/kit/idempotency.ts'
import { bootDesk } from './support/desk.ts'
import { isReplayed, newIdempotencyKey, postWithKey } from './support/idempotency-keys.ts'
import { anAdmin } from './support/people.ts'
import { staffWrites } from './support/staff-writes.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

/** Sessions that end with what is done: whoever asked is not let in again. */
const endsSession = ['/api/auth/logout']

for (const { path } of endpoints.filter(endpoint => acceptsIdempotencyKeys(endpoint) && staffWrites[endpoint.path])) {
  test(`${path} is done once with a key, not at all where it is refused, and answers the same again`, async () => {
    const { body, by = admin, refused, after } = await staffWrites[path]!({ desk, admin })
    const key = newIdempotencyKey()
    const before = await desk.rowCounts()
    if (refused) {
      const refusal = await postWithKey(desk, key, path, by, refused)
      assert.ok(refusal.status >= 400 && refusal.status < 500, refusal.body.message)
      assert.deepEqual(await desk.rowCounts(), before)
    }

    const first = await postWithKey(desk, key, path, by, body)
    // Some shut the desk to those who come next.
    await after?.()
    const done = await desk.rowCounts()
    const again = await postWithKey(desk, key, path, by, body)

    assert.ok(first.status < 300, first.body.message)
    assert.deepEqual([isReplayed(first), done.idempotency_keys! >= 1], [false, true])
    if (endsSession.includes(path)) return
    assert.deepEqual([isReplayed(again), again.status, again.body], [true, first.status, first.body])
    assert.deepEqual(await desk.rowCounts(), done)
  })
}
