import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Migration } from '../../../migrations/migration.ts'
import { type AnyDb, transactionOnce } from './open.ts'
import { noteOldestCode, type SchemaState, schemaState } from './schema-state.ts'

type Migrations = Record<string, Migration>

/** The database has migrations that this code does not know, and that it cannot work with. */
export class SchemaTooNew extends Error {
  constructor() {
    super('The database was made by a newer version of Deskline: start that version, or restore a backup of this one.')
  }
}

export interface MigrateOptions {
  /** Told what is being done, and what is waited for. */
  tell?: (text: string, details: object) => void
  /** Ends the waiting for locks. */
  signal?: AbortSignal
}

/** Throws `SchemaTooNew` where a schema can neither be worked with nor be brought up to date. */
export function refuseNewerSchema({ pending, unknown, isCompatible }: SchemaState): void {
  if (unknown.length > 0 && (!isCompatible || pending.length > 0)) throw new SchemaTooNew()
}

/** The lock that versions before this one take as well (Kysely's own migrator). */
const lockId = sql.lit(3853314791062309107n)
const lookAtLockMilliseconds = 200
/** Whoever works on the tables waits behind a migration that waits for its lock, so it does not wait for long. */
const lockTimeoutMilliseconds = 1_000
const longestPauseMilliseconds = 4_000
const attempts = 100
const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

/**
 * Brings the schema up to date and answers the names of the migrations that ran. Each has a transaction of its own, or none, so that
 * what was interrupted goes on where it was. Safe with any number of starters at once, who wait for the first. A migration that finds
 * its tables in use gives up after a second and tries again a little later. Given a transaction, all runs in it, and nobody is waited for.
 */
export async function migrate(db: AnyDb, migrations: Migrations, options: MigrateOptions = {}): Promise<string[]> {
  if (db.isTransaction) return await runPending(db, migrations, options)
  return await db.connection().execute(async db => {
    await takeLock(db, options)
    try {
      return await runPending(db, migrations, options)
    } finally {
      // With a connection that broke the lock is gone as well.
      await sql`select pg_advisory_unlock(${lockId})`.execute(db).catch(() => {})
    }
  })
}

/** Brings an empty schema to what it was after the migration of that name. */
export async function migrateTo(db: AnyDb, migrations: Migrations, name: string): Promise<void> {
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([each]) => each <= name)))
}

/** Asked for again and again: a statement that waits would keep indexes that are made concurrently from being completed. */
async function takeLock(db: AnyDb, { tell, signal }: MigrateOptions): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    const { rows } = await sql<{ is_taken: boolean }>`select pg_try_advisory_lock(${lockId}) as is_taken`.execute(db)
    if (rows[0]!.is_taken) return
    if (!isTold) tell?.('Another process migrates the database: waiting until it is done', {})
    await pause(lookAtLockMilliseconds, undefined, { signal })
  }
}

async function runPending(db: AnyDb, migrations: Migrations, options: MigrateOptions): Promise<string[]> {
  const state = await schemaState(db, migrations)
  refuseNewerSchema(state)
  const { pending } = state
  if (pending.length === 0) return []
  // As Kysely's migrator made it, which versions before this one had.
  await sql`create table if not exists kysely_migration
    (name varchar(255) not null primary key, "timestamp" varchar(255) not null)`.execute(db)
  for (const name of pending) await runWithRetries(db, name, migrations[name]!, options)
  return pending
}

async function runWithRetries(db: AnyDb, name: string, migration: Migration, { tell, signal }: MigrateOptions) {
  tell?.('Migrating the database', { migration: name })
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(db, name, migration)
    } catch (error) {
      const { code } = error as { code?: string }
      const isInTheWay = code === lockNotAvailable || code === deadlockDetected
      // Within a transaction of somebody else's there is nothing left to try.
      if (!isInTheWay || db.isTransaction || attempt === attempts) throw error
    }
    if (attempt % 5 === 1) tell?.('The tables to migrate are in use: trying again', { migration: name, attempt })
    await pause(Math.min(100 * 2 ** attempt, longestPauseMilliseconds), undefined, { signal })
  }
}

async function run(db: AnyDb, name: string, migration: Migration): Promise<void> {
  if (db.isTransaction || migration.inTransaction === false) {
    await migration.up(db)
    await note(db, name, migration)
    return
  }
  await transactionOnce(db, async db => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMilliseconds)}`.execute(db)
    await migration.up(db)
    await note(db, name, migration)
  })
}

async function note(db: AnyDb, name: string, { oldestCode = name }: Migration): Promise<void> {
  // Before the name: where this is cut off in between, it is repeated with the migration.
  await noteOldestCode(db, oldestCode)
  await sql`insert into kysely_migration (name, "timestamp") values (${name}, ${new Date().toISOString()})`.execute(db)
}
