import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootFuzzDesk, fuzz } from './fuzzer.ts'

const desk = await bootFuzzDesk()

// Always the same ones, since a change should not fail by chance; `npm run test:fuzz` asks others each time.
test('1,500 hostile requests to all addresses are answered below 500, in the envelope, and refusals write nothing', async () => {
  const { statuses, samples } = await fuzz(desk, { requests: 1_500, seed: 20_261_124 })

  assert.ok(samples > 20, `${samples} samples`)
  assert.ok((statuses[200] ?? 0) > 100, JSON.stringify(statuses))
  assert.ok((statuses[201] ?? 0) > 2, JSON.stringify(statuses))
})
