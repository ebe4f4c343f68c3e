import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { ConfigurationFaults } from '../config.ts'
import { reasonOf } from '../platform/db/reach.ts'
import { useEnvFile } from './env-file.ts'

// Each is loaded when it is asked for: the others would only make it start later.
const commands: Record<string, () => Promise<(program: Command) => void>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  worker: async () => (await import('./worker.ts')).workerCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  'create-admin': async () => (await import('./create-admin.ts')).createAdminCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  outbox: async () => (await import('./outbox.ts')).outboxCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  move: async () => (await import('./move.ts')).moveCommand,
  'import-clients': async () => (await import('./import-clients.ts')).importClientsCommand,
  'adopt-files': async () => (await import('./adopt-files.ts')).adoptFilesCommand,
  reseal: async () => (await import('./reseal.ts')).resealCommand,
  receive: async () => (await import('./receive.ts')).receiveCommand,
  recount: async () => (await import('./recount.ts')).recountCommand,
  search: async () => (await import('./search.ts')).searchCommand,
  'print-openapi': async () => (await import('./print-openapi.ts')).printOpenapiCommand,
  'print-routes': async () => (await import('./print-routes.ts')).printRoutesCommand,
  generate: async () => (await import('./generate.ts')).generateCommand
}

/** What commands were called formerly, which still works. */
const formerNames: Record<string, string | undefined> = { letters: 'outbox' }

const failed = 1
const misused = 2

/** Runs the command that these words name, and ends the process: 0 done, 1 failed, 2 not understood. */
export async function run(words: string[]): Promise<void> {
  const program = new Command('deskline')
    .description(manifest.description)
    .version(manifest.version)
    .addHelpText(
      'after',
      '\nSettings are environment variables: see .env.example. Those in a file .env beside it are read.'
    )
    .showHelpAfterError('(deskline --help tells what there is)')
    .exitOverride()
    // Where the settings themselves are looked at, what is wrong with them is told like all else.
    .hook('preAction', (_program, command) => {
      if (command.name() !== 'doctor') useEnvFile()
    })
  const named = Object.keys(commands).filter(name => name === (formerNames[words[0] ?? ''] ?? words[0]))
  for (const name of named.length > 0 ? named : Object.keys(commands)) (await commands[name]!())(program)
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
