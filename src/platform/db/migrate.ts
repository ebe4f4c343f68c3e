import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './open.ts'

/** The database has migrations that this code does not know. */
export class SchemaTooNew extends Error {}

/**
 * Brings the schema up to date and answers the names of the migrations that ran. Safe with any number of starters at
 * once: the migrator holds an advisory lock.
 */
export async function migrate(db: Db, migrations: Record<string, Migration>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error instanceof Error && /previously executed migration .* is missing/.test(error.message)) {
    throw new SchemaTooNew(
      'The database was made by a newer version of Deskline: start that version, or restore a backup of this one.'
    )
  }
  if (error) throw error
  return (results ?? []).map(result => result.migrationName)
}

/** The names of the migrations that this database has yet to see. Changes nothing. */
export async function pendingMigrations(db: Db, migrations: Record<string, Migration>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const known = await migrator.getMigrations()
  return known.filter(migration => !migration.executedAt).map(migration => migration.name)
}

/** The names of the migrations that this database has seen, in order; none where it was never migrated. */
export async function executedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string | null }>`select to_regclass('kysely_migration') as name`.execute(
    db
  )
  if (!tables[0]?.name) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** Brings an empty schema to what it was after the migration of that name. */
export async function migrateTo(db: Db, migrations: Record<string, Migration>, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(name)
  if (error) throw error
}
