import type { Measured, Meter, Round } from './measuring.ts'

/** One of several that get the same work side by side. */
export interface Contender {
  name: string
  server: Measured
  /** The requests that it gets. */
  set: string
}

export interface Pace {
  rounds: number
  milliseconds: number
  /** Before the first round, so that plans are made and code is warm. */
  warmUpMilliseconds: number
}

/**
 * Lets all work in turn, round by round, every other round in reverse: what slows the machine for a while slows all of them. Answers
 * each one's rounds, by name.
 */
export async function contest(
  meter: Meter,
  contenders: readonly Contender[],
  concurrency: number,
  { rounds, milliseconds, warmUpMilliseconds }: Pace
): Promise<Record<string, Round[]>> {
  const played: Record<string, Round[]> = Object.fromEntries(contenders.map(({ name }) => [name, []]))
  for (const { server, set } of contenders) await meter.round(server, set, concurrency, warmUpMilliseconds)
  for (let round = 0; round < rounds; round++) {
    for (const { name, server, set } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      played[name]!.push(await meter.round(server, set, concurrency, milliseconds))
    }
  }
  return played
}
