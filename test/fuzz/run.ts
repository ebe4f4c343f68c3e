import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { bootFuzzDesk, fuzz } from './fuzzer.ts'
import { watchMemory } from './memory.ts'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) }
  }
})
const [requests, seed] = [Number(options.requests), Number(options.seed)]
const measurements = 20

/** The long form; a minute or five. It tells the seed first, with which everything is asked again in the same order. */
test('100,000 hostile requests end in no 5xx, no broken envelope and no growth of memory', async () => {
  console.log(`--seed ${seed}`)
  const desk = await bootFuzzDesk()
  const memory = watchMemory()
  const startedAt = Date.now()
  const stretch = Math.ceil(requests / measurements)
  const statuses: Record<string, number> = {}
  let samples = 0

  for (let at = 0; at < measurements; at++) {
    const figures = await fuzz(desk, { requests: stretch, seed: seed + at })
    for (const [status, count] of Object.entries(figures.statuses)) statuses[status] = (statuses[status] ?? 0) + count
    samples += figures.samples
    await memory.measure()
  }

  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const met = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  console.log(
    `ok  ${measurements * stretch} requests: ${met.join(', ')}; ${samples} refusals shown to write nothing (${seconds} s)`
  )
  console.log(`ok  memory: ${memory.verdict()}`)
})
