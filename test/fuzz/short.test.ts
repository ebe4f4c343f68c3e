import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootFuzzDesk, fuzz } from './play.ts'

const desk = await bootFuzzDesk()

test('hostile requests to every address are refused or answered, in the envelope, and refusals write nothing', async t => {
  const seed = Date.now() % 2 ** 31
  t.diagnostic(`seed ${seed}: npm run test:fuzz -- --seed ${seed}`)

  const { statuses, samples } = await fuzz(desk, { requests: 2_000, seed })

  assert.ok(samples > 20)
  assert.ok((statuses[200] ?? 0) > 50, JSON.stringify(statuses))
})
