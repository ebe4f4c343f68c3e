import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'

const connections = 3
const mayWait = 10
const desk = await bootDesk({ connections, config: { MAX_WAITING_REQUESTS: mayWait } })

test('while the database stands still requests beyond MAX_WAITING_REQUESTS are answered 503 at once, and afterwards all work again', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const holding = desk.db.transaction().execute(async db => {
    await sql`lock table clients in access exclusive mode`.execute(db)
    lock()
    await released
  })
  await locked
  let finished = 0
  const ask = async () => {
    const answer = await desk.post('/api/user/check-by-email', undefined, { email: 'nobody@example.com' })
    finished++
    return answer
  }

  const asked = Array.from({ length: 500 }, ask)
  const turnedAway = 500 - (connections - 1) - mayWait
  await until(() => finished >= turnedAway)
  const waiting = desk.services.pool.waitingCount
  const alive = await fetch(`${desk.url}/livez`)
  release()
  const answers = await Promise.all(asked)
  await holding

  const refused = answers.filter(answer => answer.status === 503)
  assert.equal(refused.length, turnedAway)
  assert.ok(refused.every(answer => answer.headers.get('retry-after') === '2'))
  assert.ok(waiting <= mayWait, `${waiting} wait`)
  assert.equal(alive.status, 200)
  assert.equal(answers.filter(answer => answer.status === 200).length, 500 - turnedAway)
  assert.equal((await ask()).status, 200)
})

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !isSo(); await new Promise(resolve => setTimeout(resolve, 5))) {
    assert.ok(Date.now() < deadline, 'in time')
  }
}
