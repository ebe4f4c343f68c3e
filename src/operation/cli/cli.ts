import { Command, CommanderError } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { ConfigurationFaults } from '../../lib/configuration-faults.ts'
import { reasonOf } from '../../platform/db/wait-for-database.ts'
import { useEnvFile } from './env-file.ts'

/** A command: a short description, and a function that adds its options and action. */
interface Entry {
  says: string
  load(): Promise<(command: Command) => void>
}

// Each command is loaded on use, and none for the list of them, to keep the start fast.
const commands: Record<string, Entry> = {
  serve: {
    says: 'run the server until SIGTERM or Ctrl-C',
    load: async () => (await import('./serve.ts')).serveCommand
  },
  worker: {
    says: 'run background jobs (e-mails, webhooks …) without serving requests, until SIGTERM or Ctrl-C',
    load: async () => (await import('./worker.ts')).workerCommand
  },
  migrate: {
    says: 'migrate the database to the newest schema, or create it',
    load: async () => (await import('./migrate.ts')).migrateCommand
  },
  'create-admin': {
    says: 'create an admin; the password is read from ADMIN_PASSWORD, else asked for or read from standard input',
    load: async () => (await import('./create-admin.ts')).createAdminCommand
  },
  demo: {
    says: 'create demo data: people, tickets and files; not in production',
    load: async () => (await import('./demo.ts')).demoCommand
  },
  doctor: {
    says: 'check the installation for problems; changes nothing, exits with 1 if there are any',
    load: async () => (await import('./doctor.ts')).doctorCommand
  },
  outbox: {
    says: 'list the newest outgoing e-mails and texts with the last response of the mail server or gateway',
    load: async () => (await import('./outbox.ts')).outboxCommand
  },
  audit: {
    says: 'verify the audit log',
    load: async () => (await import('./audit.ts')).auditCommand
  },
  backup: {
    says: 'back up all rows and files to one archive (.tar.gz), while the service runs',
    load: async () => (await import('./backup.ts')).backupCommand
  },
  restore: {
    says: 'restore a backup into an empty installation and verify it; the service must be stopped',
    load: async () => (await import('./restore.ts')).restoreCommand
  },
  move: {
    says: 'move the embedded database to an external PostgreSQL and verify it; the service must be stopped',
    load: async () => (await import('./move.ts')).moveCommand
  },
  'import-clients': {
    says: 'import customers from a CSV or JSON Lines file; existing clients are skipped, so it can be run again',
    load: async () => (await import('./import-clients.ts')).importClientsCommand
  },
  config: {
    says: 'export all definitions (calendars, SLA policies, views …) as one JSON file, or import one',
    load: async () => (await import('./config.ts')).configCommand
  },
  articles: {
    says: 'export the articles of the knowledge base as a folder of Markdown files, or import one',
    load: async () => (await import('./articles.ts')).articlesCommand
  },
  'adopt-files': {
    says: 'assign the stored files to this database, if doctor reports that they belong to another one',
    load: async () => (await import('./adopt-files.ts')).adoptFilesCommand
  },
  reseal: {
    says: 're-encrypt second factors, secrets of webhooks and the widget, and mailbox tokens with the first of several APP_SECRETs, so that the others can be removed',
    load: async () => (await import('./reseal.ts')).resealCommand
  },
  receive: {
    says: 'receive one e-mail from standard input, for a mail server’s pipe; prints the result as one line of JSON',
    load: async () => (await import('./receive.ts')).receiveCommand
  },
  recount: {
    says: 'recount the tickets, if "deskline doctor" reports wrong counts',
    load: async () => (await import('./recount.ts')).recountCommand
  },
  reports: {
    says: 'count all tickets anew for the reports',
    load: async () => (await import('./reports.ts')).reportsCommand
  },
  search: {
    says: 'rebuild the search index',
    load: async () => (await import('./search.ts')).searchCommand
  },
  'print-openapi': {
    says: 'print the OpenAPI 3.1 document',
    load: async () => (await import('./print-openapi.ts')).printOpenapiCommand
  },
  'print-routes': {
    says: 'print all endpoints and who may call them',
    load: async () => (await import('./print-routes.ts')).printRoutesCommand
  },
  generate: {
    says: 'write the files that are generated from the code',
    load: async () => (await import('./generate.ts')).generateCommand
  }
}

const failed = 1
const misused = 2
const triedAgain = 75

/** Runs a command and exits: 0 success, 1 failure, 2 invalid usage; 75 for `receive`. */
export async function run(words: string[]): Promise<void> {
  const program = new Command('deskline')
    .description(manifest.description)
    .version(manifest.version)
    .addHelpText(
      'after',
      '\nSettings are environment variables: see .env.example. Those in a file .env beside it are read.'
    )
    .showHelpAfterError('(deskline --help lists the commands)')
    .exitOverride()
    .configureHelp({ subcommandTerm: command => command.name() })
    // Commands that check the settings report errors in them like any other.
    .hook('preAction', (_program, command) => {
      if (command.name() !== 'doctor') useEnvFile()
    })
  const asked = words.find(word => word !== 'help' && !word.startsWith('-')) ?? ''
  for (const [name, { says, load }] of Object.entries(commands)) {
    const command = program.command(name).description(says)
    if (name === asked) (await load())(command)
  }
  // The reader of our output, such as `head`, may close it.
  process.stdout.on('error', error => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error
    process.exit()
  })

  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error, asked)
    for (const line of sentencesOf(error)) process.stderr.write(`${line}\n`)
  }
  process.exit()
}

function exitCodeOf(error: unknown, command: string): number {
  // With any other code the mail server would bounce the mail, while the operator can still fix the settings.
  if (command === 'receive' && !isAnswer(error)) return triedAgain
  if (!(error instanceof CommanderError)) return failed
  return error.exitCode === 0 ? 0 : misused
}

/** Whether it is a request for help, not an error. */
function isAnswer(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

/** The error for a person; commander has printed its own already. The stack is printed only on request. */
function sentencesOf(error: unknown): string[] {
  if (error instanceof CommanderError) return []
  if (error instanceof ConfigurationFaults) return error.faults
  if (!(error instanceof Error)) return [String(error)]
  const isCurious = ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '')
  return [(isCurious && error.stack) || error.message || reasonOf(error)]
}
