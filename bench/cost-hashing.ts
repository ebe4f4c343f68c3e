import { makePasswords } from '../src/platform/secrets/passwords.ts'
import { password } from './fill.ts'
import type { Results } from './results.ts'
import { summary } from './statistics.ts'

/** Measures the verification of a password, which intentionally takes most of the time of a login. */
export async function costOfHashing(results: Results, rounds: number): Promise<void> {
  const passwords = makePasswords()
  const stored = await passwords.hash(password)
  await passwords.fits(password, stored)
  const [milliseconds, cpu]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()]
    for (let at = 0; at < 20; at++) await passwords.fits(password, stored)
    milliseconds.push((performance.now() - startedAt) / 20)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000 / 20)
  }
  results.costs.push({ name: 'checking a password', unit: 'ms', value: summary(milliseconds) })
  results.costs.push({ name: 'checking a password, CPU', unit: 'ms', value: summary(cpu) })
}
