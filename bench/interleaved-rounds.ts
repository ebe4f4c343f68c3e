import type { MeasuredServer, Meter, Round } from './meter.ts'

/** One of several servers that are measured with the same requests in alternation. */
export interface Target {
  name: string
  server: MeasuredServer
  /** The name of the set of requests that it gets. */
  set: string
}

export interface RoundOptions {
  rounds: number
  milliseconds: number
  /** How long each target gets requests before the first round, so that plans are made and code is compiled. */
  warmUpMilliseconds: number
}

/**
 * Measures the targets in turn, round by round, and every other round in reverse order: whatever slows the machine for a while slows all
 * of them. Returns the rounds of each target, by its name.
 */
export async function runInterleaved(
  meter: Meter,
  targets: readonly Target[],
  concurrency: number,
  { rounds, milliseconds, warmUpMilliseconds }: RoundOptions
): Promise<Record<string, Round[]>> {
  const measured: Record<string, Round[]> = Object.fromEntries(targets.map(({ name }) => [name, []]))
  for (const { server, set } of targets) await meter.round(server, set, concurrency, warmUpMilliseconds)
  for (let round = 0; round < rounds; round++) {
    for (const { name, server, set } of round % 2 === 0 ? targets : targets.toReversed()) {
      measured[name]!.push(await meter.round(server, set, concurrency, milliseconds))
    }
  }
  return measured
}
