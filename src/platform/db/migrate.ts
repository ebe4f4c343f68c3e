import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Migration } from '../../../migrations/migration.ts'
import type { AnyDb } from './any-db.ts'
import { transactionOnce } from './open.ts'
import { recordOldestCode, type SchemaState, schemaState } from './schema-state.ts'

type Migrations = Record<string, Migration>

/** A schema that this code cannot work with or migrate; the message is a sentence for the operator. */
export abstract class UnusableSchema extends Error {}

/** The database has migrations that this code neither knows nor is compatible with. */
export class SchemaTooNew extends UnusableSchema {
  constructor() {
    super('The database was made by a newer version of Deskline: start that version, or restore a backup of this one.')
  }
}

/** The database was made before the first release, whose schema nothing leads to. */
export class SchemaBeforeRelease extends UnusableSchema {
  constructor() {
    super(
      'The database was made by a version of Deskline from before the first release, which this version cannot upgrade: start with another database or data folder. Nothing was changed.'
    )
  }
}

export interface MigrateOptions {
  /** Called with what is being done, and what it waits for. */
  tell?: (text: string, details: object) => void
  /** Aborts waiting for locks. */
  signal?: AbortSignal
}

/** Throws an `UnusableSchema` if this code is neither compatible with the schema nor able to migrate it. */
export function refuseUnusableSchema({ pending, unknown, isCompatible, isBeforeRelease }: SchemaState): void {
  if (isBeforeRelease) throw new SchemaBeforeRelease()
  if (unknown.length > 0 && (!isCompatible || pending.length > 0)) throw new SchemaTooNew()
}

/** Kysely's migrator takes the same lock. */
const lockId = sql.lit(3853314791062309107n)
const pollLockMilliseconds = 200
/** Other statements on the table queue behind a migration that waits for its lock, so the wait is short. */
const lockTimeoutMilliseconds = 1_000
const longestPauseMilliseconds = 4_000
const attempts = 100
const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

/**
 * Migrates the schema and returns the names of the migrations that ran. Each has a transaction of its own, or none, so that an interrupted run
 * can continue. Safe with concurrent starters, who wait for the first. A migration whose tables are in use gives up after a second and retries a
 * little later. Given a transaction, everything runs in it, without waiting.
 */
export async function migrate(db: AnyDb, migrations: Migrations, options: MigrateOptions = {}): Promise<string[]> {
  if (db.isTransaction) return await runPending(db, migrations, options)
  return await db.connection().execute(async db => {
    await takeLock(db, options)
    try {
      return await runPending(db, migrations, options)
    } finally {
      // If the connection broke, the lock is released anyway.
      await sql`select pg_advisory_unlock(${lockId})`.execute(db).catch(() => {})
    }
  })
}

/** Migrates an empty schema up to the migration of that name. */
export async function migrateTo(db: AnyDb, migrations: Migrations, name: string): Promise<void> {
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([each]) => each <= name)))
}

/** Polls, because a statement that waits for the lock would block concurrent index builds. */
async function takeLock(db: AnyDb, { tell, signal }: MigrateOptions): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    const { rows } = await sql<{ is_taken: boolean }>`select pg_try_advisory_lock(${lockId}) as is_taken`.execute(db)
    if (rows[0]!.is_taken) return
    if (!isTold) tell?.('Another process migrates the database: waiting until it is done', {})
    await pause(pollLockMilliseconds, undefined, { signal })
  }
}

async function runPending(db: AnyDb, migrations: Migrations, options: MigrateOptions): Promise<string[]> {
  const state = await schemaState(db, migrations)
  refuseUnusableSchema(state)
  const { pending } = state
  if (pending.length === 0) return []
  await sql`create table if not exists kysely_migration
    (name varchar(255) not null primary key, "timestamp" varchar(255) not null)`.execute(db)
  options.tell?.('Migrating the database', { migrations: pending.length })
  for (const name of pending) {
    options.signal?.throwIfAborted()
    await runWithRetries(db, name, migrations[name]!, options)
  }
  return pending
}

async function runWithRetries(db: AnyDb, name: string, migration: Migration, { tell, signal }: MigrateOptions) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(db, name, migration)
    } catch (error) {
      const { code } = error as { code?: string }
      const isInTheWay = code === lockNotAvailable || code === deadlockDetected
      // Within somebody else's transaction there is nothing left to retry.
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
  // Before the migration's name: if interrupted in between, it is repeated with the migration.
  await recordOldestCode(db, oldestCode)
  await sql`insert into kysely_migration (name, "timestamp") values (${name}, ${new Date().toISOString()})`.execute(db)
}
