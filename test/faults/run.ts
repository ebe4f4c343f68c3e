import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres.ts'
import { brokenInstallation, misfittingDatabase } from './broken-installations.ts'
import { databaseAway } from './database-away.ts'
import { fullDatabase, fullDataFolder, fullUploads } from './full-disk.ts'
import { embeddedInstallations, type InstallationFactory, servedInstallations } from './installations.ts'
import { killBoth, killDatabase, killService } from './kill.ts'
import { killWithMailboxes } from './kill-mailboxes.ts'
import { killWhileRulesRun } from './kill-rules.ts'
import { killWhileClocksRun } from './kill-sla.ts'
import { killWhileRepliesWait } from './kill-undo.ts'
import { mailsAndFullDisk, mailsAndKills } from './mails.ts'
import { readOnlyDatabase } from './read-only-database.ts'
import { secondProcess } from './second-process.ts'
import { silentDatabase } from './silent-database.ts'
import { Skipped } from './skipped.ts'
import { slowClients } from './slow-clients.ts'
import { stopInFlight } from './stop-in-flight.ts'

interface Fault {
  name: string
  /** Returns a sentence with the figures. */
  run(factory: InstallationFactory, rounds: number): Promise<string>
  /** The number of rounds in the long form, and in the short one that every check runs, for each kind of database. */
  long: number
  short: Partial<Record<InstallationFactory['name'], number>>
  /** The kind of database that it runs on; both, if undefined. */
  database?: InstallationFactory['name']
}

const faults: Fault[] = [
  { name: 'kill -9 of the service', run: killService, long: 20, short: { embedded: 2, served: 1 } },
  { name: 'kill -9 of the database', run: killDatabase, long: 18, short: { embedded: 1, served: 1 } },
  { name: 'kill -9 of both', run: killBoth, long: 16, short: { embedded: 1 } },
  { name: 'kill -9 while rules run', run: killWhileRulesRun, long: 5, short: { embedded: 1 } },
  { name: 'kill -9 while SLA clocks run', run: killWhileClocksRun, long: 5, short: { embedded: 1 } },
  { name: 'kill -9 while replies can be taken back', run: killWhileRepliesWait, long: 6, short: { embedded: 2 } },
  { name: 'kill -9 while e-mails come in', run: mailsAndKills, long: 5, short: { embedded: 1 } },
  { name: 'kill -9 with a connected mailbox', run: killWithMailboxes, long: 6, short: { embedded: 2 } },
  { name: 'a full disk while e-mails come in', run: mailsAndFullDisk, long: 1, short: { embedded: 1 } },
  { name: 'SIGTERM with 50 requests in flight', run: stopInFlight, long: 5, short: { embedded: 1 } },
  { name: 'clients that send a byte a second', run: slowClients, long: 3, short: {}, database: 'embedded' },
  {
    name: 'two processes on one data folder',
    run: secondProcess,
    long: 5,
    short: { embedded: 1 },
    database: 'embedded'
  },
  {
    name: 'the database goes away and comes back',
    run: databaseAway,
    long: 5,
    short: { served: 1 },
    database: 'served'
  },
  { name: 'the database takes no writes', run: readOnlyDatabase, long: 5, short: { served: 1 } },
  { name: 'the database falls silent', run: silentDatabase, long: 3, short: {}, database: 'served' },
  { name: 'a damaged installation', run: brokenInstallation, long: 100, short: { embedded: 2 }, database: 'embedded' },
  { name: 'a database that does not fit', run: misfittingDatabase, long: 1, short: {}, database: 'served' },
  { name: 'a full disk of uploads', run: fullUploads, long: 1, short: {} },
  { name: 'a full disk', run: fullDataFolder, long: 1, short: { embedded: 1 }, database: 'embedded' },
  { name: 'a full disk of the database', run: fullDatabase, long: 1, short: {}, database: 'served' }
]

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    served: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' }
  }
})

// An explicit exit runs the exit handlers, which end the processes and unmount the disks.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

// Most of the time is spent waiting, so both kinds of database are tested at once.
const server = process.env.DATABASE_URL || (await startPostgres({ durable: true }))
if (!server) console.log('--  on a served database: none is installed here and DATABASE_URL is not set')
const factories = [
  ...(options.served ? [] : [embeddedInstallations()]),
  ...(server ? [servedInstallations(server)] : [])
]
const played = await Promise.allSettled(factories.map(runAll))
const failures = played.filter(factory => factory.status === 'rejected')
for (const { reason } of failures) console.error(reason)
process.exit(failures.length > 0 ? 1 : 0)

async function runAll(factory: InstallationFactory): Promise<void> {
  try {
    for (const { name, run, long, short, database: where = factory.name } of faults) {
      if (where !== factory.name || (options.only && !name.includes(options.only))) continue
      const count = options.rounds ? Number(options.rounds) : options.short ? (short[factory.name] ?? 0) : long
      if (count > 0) await runOne(`${name}, on ${factory.description}`, () => run(factory, count))
    }
  } finally {
    await factory.close()
  }
}

async function runOne(name: string, play: () => Promise<string>): Promise<void> {
  const startedAt = Date.now()
  const passed = () => `(${((Date.now() - startedAt) / 1000).toFixed(1)} s)`
  try {
    console.log(`ok  ${name}: ${await play()} ${passed()}`)
  } catch (error) {
    if (error instanceof Skipped) {
      console.log(`--  ${name}: ${error.message}`)
      return
    }
    console.log(`NO  ${name} ${passed()}`)
    throw error
  }
}
