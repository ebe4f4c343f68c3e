import { type Kysely, sql } from 'kysely'
import { createFunctions, runFiles } from './run-sql.ts'

/** Organisations: their people, domains and tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runFiles(db, ['organisations/tables.sql'])
  // The function of today reads it.
  await sql`alter table tickets add column if not exists field_values jsonb`.execute(db)
  await createFunctions(db, ['maintain_ticket', 'count_tickets', 'without_words'])
}

export const oldestCode = '0002-search'
