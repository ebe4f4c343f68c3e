import { sql } from 'kysely'
import type { Migration } from '../../../migrations/migration.ts'
import type { AnyDb } from './any-db.ts'

/** The schema of a database compared with the migrations of this code. */
export interface SchemaState {
  /** It was never migrated. */
  isEmpty: boolean
  /** Migrations that have yet to run, in order. */
  pending: string[]
  /** Migrations that have run and that this code does not know. */
  unknown: string[]
  /** The schema says that this code still works with it. */
  isCompatible: boolean
  /** Its first migration is not the first of this code, so it was made before the first release. */
  isBeforeRelease: boolean
}

/** Changes nothing. */
export async function schemaState(db: AnyDb, migrations: Record<string, Migration>): Promise<SchemaState> {
  const executed = await executedMigrations(db)
  const known = Object.keys(migrations).sort()
  const unknown = executed.filter(name => !known.includes(name))
  return {
    isEmpty: executed.length === 0,
    pending: known.filter(name => !executed.includes(name)),
    unknown,
    isCompatible: unknown.length === 0 || ((await oldestCodeOf(db)) ?? unknown.at(-1)!) <= known.at(-1)!,
    isBeforeRelease: executed.length > 0 && executed[0] !== known[0]
  }
}

/** The names of the migrations that have run, in order; none if there were none. */
export async function executedMigrations(db: AnyDb): Promise<string[]> {
  if (!(await isThere(db, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** Records the oldest code that works after this migration. */
export async function recordOldestCode(db: AnyDb, oldestCode: string): Promise<void> {
  if (!(await isThere(db, 'schema_compatibility'))) return
  await sql`update schema_compatibility set oldest_code = ${oldestCode} where oldest_code collate "C" < ${oldestCode}`.execute(
    db
  )
}

/** The last migration known to the oldest code that works with this schema; undefined if that was not recorded yet. */
async function oldestCodeOf(db: AnyDb): Promise<string | undefined> {
  if (!(await isThere(db, 'schema_compatibility'))) return undefined
  const { rows } = await sql<{ oldest_code: string }>`select oldest_code from schema_compatibility`.execute(db)
  return rows[0]?.oldest_code
}

async function isThere(db: AnyDb, table: string): Promise<boolean> {
  const { rows } = await sql<{ name: string | null }>`select to_regclass(${table}) as name`.execute(db)
  return Boolean(rows[0]?.name)
}
