import { setTimeout as pause } from 'node:timers/promises'
import { migrations } from '../../migrations/index.ts'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import type { JobRunner } from '../core/jobs.ts'
import { migrate, refuseUnusableSchema, UnusableSchema } from '../platform/db/migrate.ts'
import { type DatabaseOptions, openDatabase } from '../platform/db/open.ts'
import { schemaState } from '../platform/db/schema-state.ts'
import { DatabaseFault, reasonOf, waitForDatabase } from '../platform/db/wait-for-database.ts'
import type { Log } from '../platform/log.ts'

const reachWithinMilliseconds = 10_000
const pollMilliseconds = 500
const tellMilliseconds = 10_000

/** A database and its job queue. */
interface Place {
  config: Pick<Config, 'MIGRATE'>
  connection: DatabaseOptions['connection']
  jobs: JobRunner
  log: Log
  /** The name that the operator knows the database by. */
  name: string
  signal?: AbortSignal
}
type Reached = Place & { db: Db }

/** Waits for the database, and brings the schema and the queue up to date. Throws with one sentence for the operator. */
export async function prepareDatabase(place: Place, schema: 'migrate' | 'await' | 'require'): Promise<void> {
  const { connection, log, name, signal } = place
  const { db, close } = openDatabase({
    connection,
    maxConnections: 2,
    // No timeout may interrupt a migration.
    statementTimeoutMilliseconds: 0,
    connectTimeoutMilliseconds: 3_000,
    onIdleError: error => log.warn({ err: error }, 'A database connection was lost')
  })
  try {
    const tell = (text: string) => log.warn(text)
    await waitForDatabase(db, { name, withinMilliseconds: reachWithinMilliseconds, signal, tell })
    const ran = await settleSchema({ ...place, db }, schema)
    if (ran.length > 0) log.info({ migrations: ran }, 'The database schema is up to date')
  } catch (error) {
    if (error instanceof DatabaseFault || error instanceof UnusableSchema) throw error
    throw new DatabaseFault(`${name} could not be migrated: ${reasonOf(error)}.`, { cause: error })
  } finally {
    await close()
  }
}

/**
 * Migrates the schema of the database and of the job queue, waits until somebody else has, or throws `DatabaseFault` if they are older than this
 * code; throws an `UnusableSchema` if it can do neither. Returns the names of the migrations that ran.
 */
async function settleSchema(reached: Reached, how: 'migrate' | 'await' | 'require'): Promise<string[]> {
  const { config, db } = reached
  if (how === 'migrate') return await bringUpToDate(reached)
  if (how === 'await') return await awaitSchema(reached)
  const missing = await missingIn(reached)
  if (missing.length === 0) return []
  const { isEmpty } = await schemaState(db, migrations)
  if (isEmpty && config.MIGRATE === 'auto') return await bringUpToDate(reached)
  throw new DatabaseFault(
    `${reached.name} has an older schema than this version of Deskline (${missing.join(', ')}): run "deskline migrate", or start "deskline serve".`
  )
}

async function bringUpToDate({ db, jobs, log, signal }: Reached): Promise<string[]> {
  const ran = await migrate(db, migrations, { signal, tell: (text, details) => log.info(details, text) })
  await jobs.install()
  return ran
}

/** Waits without limit: a supervisor would restart it anyway, and it can start as soon as the schema is ready. */
async function awaitSchema(reached: Reached): Promise<string[]> {
  const { log, signal } = reached
  for (let toldAt = 0; ; ) {
    const missing = await missingIn(reached)
    if (missing.length === 0) return []
    if (Date.now() - toldAt >= tellMilliseconds) {
      log.warn({ missing }, 'The schema is older than this version: waiting for "deskline migrate"')
      toldAt = Date.now()
    }
    await pause(pollMilliseconds, undefined, { signal })
  }
}

/** What this code needs and the database lacks. Throws an `UnusableSchema`. */
export async function missingIn({ db, jobs }: Pick<Reached, 'db' | 'jobs'>): Promise<string[]> {
  const state = await schemaState(db, migrations)
  refuseUnusableSchema(state)
  return state.pending.length > 0 || (await jobs.isInstalled(db)) ? state.pending : ['job queue']
}
