import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { ConfigurationFaults } from '../config.ts'
import { reasonOf } from '../platform/db/reach.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup.ts'
import { createAdminCommand } from './create-admin.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { generateCommand } from './generate.ts'
import { importClientsCommand } from './import-clients.ts'
import { lettersCommand } from './letters.ts'
import { migrateCommand } from './migrate.ts'
import { moveCommand } from './move.ts'
import { printOpenapiCommand } from './print-openapi.ts'
import { printRoutesCommand } from './print-routes.ts'
import { resealCommand } from './reseal.ts'
import { restoreCommand } from './restore.ts'
import { searchCommand } from './search.ts'
import { serveCommand } from './serve.ts'
import { workerCommand } from './worker.ts'

const commands = [
  serveCommand,
  workerCommand,
  migrateCommand,
  createAdminCommand,
  demoCommand,
  doctorCommand,
  lettersCommand,
  auditCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  importClientsCommand,
  resealCommand,
  searchCommand,
  printOpenapiCommand,
  printRoutesCommand,
  generateCommand
]

const failed = 1
const misused = 2

/** Runs the command that these words name, and ends the process: 0 done, 1 failed, 2 not understood. */
export async function run(words: string[]): Promise<void> {
  const program = new Command('deskline')
    .description(manifest.description)
    .version(manifest.version)
    .addHelpText('after', '\nSettings are environment variables: see .env.example.')
    .showHelpAfterError('(deskline --help tells what there is)')
    .exitOverride()
  for (const add of commands) add(program)
  // Whoever reads our output, as `head` does, may have had enough of it.
  process.stdout.on('error', error => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error
    process.exit()
  })

  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error)
    for (const line of sentencesOf(error)) process.stderr.write(`${line}\n`)
  }
  process.exit()
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return failed
  return error.exitCode === 0 ? 0 : misused
}

/** What went wrong, for a person; commander has spoken already. The stack is for whoever asks for it. */
function sentencesOf(error: unknown): string[] {
  if (error instanceof CommanderError) return []
  if (error instanceof ConfigurationFaults) return error.faults
  if (!(error instanceof Error)) return [String(error)]
  const isCurious = ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '')
  return [(isCurious && error.stack) || error.message || reasonOf(error)]
}
