import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrations } from '../migrations/index.ts'
import { canOpenSecrets } from './auth/sealed-secrets.ts'
import type { Config } from './config.ts'
import { systemClock } from './platform/clock.ts'
import { attachEmbedded, startEmbedded } from './platform/db/embedded.ts'
import { migrate, SchemaTooNew } from './platform/db/migrate.ts'
import { type Database, type DatabaseOptions, openDatabase } from './platform/db/open.ts'
import { DatabaseFault, reachDatabase, reasonOf, shownUrl } from './platform/db/reach.ts'
import { diskFileStore } from './platform/files/disk.ts'
import { type JobRunner, openJobs } from './platform/jobs/boss.ts'
import type { Log } from './platform/log.ts'
import { mailFolder } from './platform/mail/outbox-folder.ts'
import { KeyFileFault, keyFileSecret } from './platform/secrets/key-file.ts'
import { makeKeys } from './platform/secrets/keys.ts'
import { makePasswords } from './platform/secrets/passwords.ts'
import { textFolder } from './platform/texts/outbox-folder.ts'
import type { Services } from './services.ts'

/** The data folder cannot be used. The message is one sentence for the operator. */
export class DataFolderFault extends Error {}

export interface Installation {
  services: Services & { jobs: JobRunner }
  /** Closes what was opened, in reverse order. */
  close(): Promise<void>
}

export interface InstallationOptions {
  /** A `server` has the data folder for itself; a `visitor`, as CLI commands are, uses the database of a running server. */
  as: 'server' | 'visitor'
  /** Ends the wait for a database that does not answer. */
  signal?: AbortSignal
}

type Connection = DatabaseOptions['connection']

const closeWithinMilliseconds = 1_000
const reachWithinMilliseconds = 10_000

/**
 * Opens everything that the verbs work on: the data folder, the keys, the database at the newest schema, the queues. Whatever the
 * operator can put right is thrown as an error whose message is one sentence; nothing stays open then.
 */
export async function openInstallation(
  config: Config,
  log: Log,
  { as, signal }: InstallationOptions
): Promise<Installation> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  try {
    await makeDataFolder(config.DATA_DIR)
    const keys = makeKeys(config.APP_SECRET ?? [await keyFileSecret(keyFilePath(config))])

    const { connection, stop } = await connectionFor(config, log, as)
    closers.push(stop)
    const jobs = openJobs({ connection, log })
    await prepare(config, log, connection, jobs, signal)
    const database = open(config, log, connection)
    // Closing waits for whoever holds a connection; a query that still runs then must not keep the server from stopping.
    closers.push(() => Promise.race([database.close(), pause(closeWithinMilliseconds)]))

    const outbox = join(config.DATA_DIR, 'outbox')
    const services = {
      config,
      db: database.db,
      clock: systemClock,
      log,
      keys,
      passwords: makePasswords(),
      files: diskFileStore(config.DATA_DIR),
      jobs,
      mail: mailFolder(outbox, log),
      texts: textFolder(outbox, log)
    }
    if (!(await canOpenSecrets(services))) throw new KeyFileFault(strangeKeys(config))
    return { services, close }
  } catch (error) {
    await close()
    throw error
  }
}

export function keyFilePath(config: Config): string {
  return join(config.DATA_DIR, 'app.key')
}

function strangeKeys(config: Config): string {
  const source = config.APP_SECRET ? 'APP_SECRET' : `The key file ${keyFilePath(config)}`
  return `${source} is not what the secrets in the database were encrypted with: bring the former one back (as the last of several in APP_SECRET).`
}

/** How messages call the database. */
export function databaseName({ DATABASE_URL }: Config): string {
  return DATABASE_URL ? `DATABASE_URL ${shownUrl(DATABASE_URL)}` : 'The embedded database'
}

/** Makes the data folder, for its owner alone, or sees that the one that is there can be written. Throws `DataFolderFault`. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe-${process.pid}`)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    const reason = folderFaults[code] ?? `it cannot be written (${code || reasonOf(error)})`
    throw new DataFolderFault(`DATA_DIR ${dataDir} cannot be used: ${reason}. Set DATA_DIR to a writable folder.`)
  }
}

const folderFaults: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'it leads nowhere',
  ELOOP: 'it leads nowhere',
  ENAMETOOLONG: 'its name is too long'
}

/** Where the database is, and how to leave it: a visitor starts the embedded server only when none runs. */
export async function connectionFor(config: Config, log: Log, as: InstallationOptions['as']) {
  if (config.DATABASE_URL) return { connection: config.DATABASE_URL as Connection, stop: async () => {} }
  const running = as === 'visitor' ? await attachEmbedded(config.DATA_DIR) : undefined
  if (running) return { connection: running as Connection, stop: async () => {} }
  return await startEmbedded({ dataDir: config.DATA_DIR, log })
}

/** Waits for the database and brings schema and queues up to date, which no statement timeout may cut short. */
async function prepare(config: Config, log: Log, connection: Connection, jobs: JobRunner, signal?: AbortSignal) {
  const name = databaseName(config)
  const { db, close } = openDatabase({
    connection,
    maxConnections: 2,
    statementTimeoutMilliseconds: 0,
    connectTimeoutMilliseconds: 3_000,
    onIdleError: error => log.warn({ err: error }, 'A connection to the database broke')
  })
  try {
    await reachDatabase(db, { name, withinMilliseconds: reachWithinMilliseconds, signal })
    const ran = await migrate(db, migrations)
    if (ran.length > 0) log.info({ migrations: ran }, 'The database is at the newest schema')
    await jobs.install()
  } catch (error) {
    if (error instanceof DatabaseFault || error instanceof SchemaTooNew) throw error
    throw new DatabaseFault(`${name} could not be brought to the newest schema: ${reasonOf(error)}.`, { cause: error })
  } finally {
    await close()
  }
}

function open(config: Config, log: Log, connection: Connection): Database {
  return openDatabase({
    connection,
    maxConnections: config.DATABASE_POOL,
    statementTimeoutMilliseconds: config.STATEMENT_TIMEOUT_SECONDS * 1000,
    connectTimeoutMilliseconds: 10_000,
    onIdleError: error => log.warn({ err: error }, 'A connection to the database broke')
  })
}
