import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cached } from './cached.ts'

test('all who ask at once share one run, and those who ask soon after its result', async () => {
  let runs = 0
  const ask = cached(60_000, async () => ++runs)

  const answers = await Promise.all([ask(), ask(), ask()])

  assert.deepEqual([...answers, await ask()], [1, 1, 1, 1])
})

test('when the time is over, and after a failure, the next to ask starts anew', async () => {
  let runs = 0
  const forgetful = cached(0, async () => ++runs)
  const failing = cached(60_000, async () => {
    if (++runs < 4) throw new Error(`run ${runs}`)
    return runs
  })

  assert.deepEqual([await forgetful(), await forgetful()], [1, 2])
  await assert.rejects(failing(), /run 3/)
  assert.equal(await failing(), 4)
})
