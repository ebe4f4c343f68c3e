import type { Command } from 'commander'
import { ConfigurationFaults, readConfig } from '../config.ts'
import { checkDatabase, checkDataFolder, checkFiles, checkKeys, checkTransports } from './doctor-checks.ts'
import { checkPlaces } from './doctor-start.ts'
import type { Finding } from './finding.ts'
import { commandLog, say } from './world.ts'

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look for what keeps Deskline from working; changes nothing, exits 1 when something does')
    .action(async () => {
      let failures = 0
      for await (const { verdict, about, text } of findings()) {
        say(`${verdict.padEnd(5)}${about}: ${text}`)
        if (verdict === 'fail') failures++
      }
      if (failures > 0) process.exitCode = 1
    })
}

async function* findings(): AsyncGenerator<Finding> {
  yield { verdict: 'ok', about: 'Node.js', text: process.versions.node }
  try {
    const config = readConfig(process.env)
    yield { verdict: 'ok', about: 'settings', text: `NODE_ENV is ${config.NODE_ENV}` }
    yield* checkPlaces(config)
    yield* checkDataFolder(config)
    yield* checkFiles(config)
    yield* checkKeys(config)
    yield* checkTransports(config)
    yield* checkDatabase(config, commandLog(config))
  } catch (error) {
    if (!(error instanceof ConfigurationFaults)) throw error
    for (const text of error.faults) yield { verdict: 'fail', about: 'settings', text }
  }
}
