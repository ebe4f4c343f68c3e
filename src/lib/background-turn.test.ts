import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from './background-turn.ts'

test('work in the background is done one thing after the other, also after one that failed', async () => {
  const said: string[] = []
  const first = Promise.withResolvers<void>()

  const failing = inTurn(async () => {
    said.push('first')
    await first.promise
    throw new Error('It failed.')
  })
  const second = inTurn(async () => said.push('second'))
  await new Promise(setImmediate)
  assert.deepEqual(said, ['first'])

  first.resolve()
  await assert.rejects(failing, /It failed/)
  await second
  assert.deepEqual(said, ['first', 'second'])
})

test('what hangs holds up no other', async () => {
  const never = Promise.withResolvers<void>()

  void inTurn(() => never.promise)

  assert.deepEqual(await Promise.all([inTurn(async () => 'one'), inTurn(async () => 'other')]), ['one', 'other'])
  never.resolve()
})
