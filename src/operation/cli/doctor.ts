import type { Command } from 'commander'
import { readConfig } from '../../core/config.ts'
import { misspeltSettings } from '../../core/misspelt-settings.ts'
import { ConfigurationFaults } from '../../lib/configuration-faults.ts'
import { type Terminal, terminalAt } from '../../platform/terminal.ts'
import { checkDatabase, checkDataFolder, checkFiles, checkKeys, checkTransports } from './doctor-checks.ts'
import { checkMailboxes } from './doctor-mail.ts'
import { checkListening } from './doctor-start.ts'
import { useEnvFile } from './env-file.ts'
import type { Finding } from './finding.ts'
import { commandLog, printJson, printLine } from './with-services.ts'

export function doctorCommand(command: Command): void {
  command.option('--json', 'as JSON, after all checks').action(async ({ json: isJson = false }: { json?: boolean }) => {
    const terminal = terminalAt(1, process.env)
    const found: Finding[] = []
    for await (const finding of findings()) {
      found.push(finding)
      if (!isJson) printLine(lineOf(finding, terminal))
    }
    const isSound = !found.some(({ verdict }) => verdict === 'fail')
    if (isJson) printJson({ ok: isSound, findings: found })
    if (!isSound) process.exitCode = 1
  })
}

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const

function lineOf({ verdict, about, text }: Finding, terminal: Terminal | undefined): string {
  const word = verdict.padEnd(5)
  return `${terminal?.paint(colors[verdict], word) ?? word}${about}: ${text}`
}

async function* findings(): AsyncGenerator<Finding> {
  yield { verdict: 'ok', about: 'Node.js', text: process.versions.node }
  try {
    useEnvFile()
    const config = readConfig(process.env)
    yield { verdict: 'ok', about: 'settings', text: `NODE_ENV is ${config.NODE_ENV}` }
    for (const text of misspeltSettings(process.env)) yield { verdict: 'warn', about: 'settings', text }
    yield* checkListening(config)
    yield* checkDataFolder(config)
    yield* checkFiles(config)
    yield* checkKeys(config)
    yield* checkTransports(config)
    yield* checkMailboxes(config)
    yield* checkDatabase(config, commandLog(config))
  } catch (error) {
    if (!(error instanceof ConfigurationFaults)) throw error
    for (const text of error.faults) yield { verdict: 'fail', about: 'settings', text }
  }
}
