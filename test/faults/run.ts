import { parseArgs } from 'node:util'
import { killService } from './kill-service.ts'

/** The faults that are played, with how often in the long form and in the short form that every check runs. */
const faults = [{ name: 'kill -9 of the service', play: killService, rounds: 10, shortRounds: 3 }]

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
for (const { name, play, rounds, shortRounds } of faults) {
  const startedAt = Date.now()
  const outcome = await play(values.short ? shortRounds : rounds)
  console.log(`ok  ${name}: ${outcome} (${Math.round((Date.now() - startedAt) / 1000)} s)`)
}
