import { sql } from 'kysely'
import type { Migration } from '../../../migrations/migration.ts'
import type { AnyDb } from './open.ts'

/** How the schema of a database stands to the migrations that this code knows. */
export interface SchemaState {
  /** Nobody has migrated it yet. */
  isEmpty: boolean
  /** What it has yet to see, in order. */
  pending: string[]
  /** What it has seen and this code does not know. */
  unknown: string[]
  /** What is not known here leaves this code working: it says so itself. */
  isCompatible: boolean
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
    isCompatible: unknown.length === 0 || ((await oldestCodeOf(db)) ?? unknown.at(-1)!) <= known.at(-1)!
  }
}

/** The names of the migrations that this database has seen, in order; none where it was never migrated. */
export async function executedMigrations(db: AnyDb): Promise<string[]> {
  if (!(await isThere(db, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** Notes which code works on after this migration has run. */
export async function noteOldestCode(db: AnyDb, oldestCode: string): Promise<void> {
  if (!(await isThere(db, 'schema_compatibility'))) return
  await sql`update schema_compatibility set oldest_code = ${oldestCode} where oldest_code collate "C" < ${oldestCode}`.execute(
    db
  )
}

/** The last migration known to the oldest code that works on this schema; undefined for schemas from before it was noted. */
async function oldestCodeOf(db: AnyDb): Promise<string | undefined> {
  if (!(await isThere(db, 'schema_compatibility'))) return undefined
  const { rows } = await sql<{ oldest_code: string }>`select oldest_code from schema_compatibility`.execute(db)
  return rows[0]?.oldest_code
}

async function isThere(db: AnyDb, table: string): Promise<boolean> {
  const { rows } = await sql<{ name: string | null }>`select to_regclass(${table}) as name`.execute(db)
  return Boolean(rows[0]?.name)
}
