import type { Kysely } from 'kysely'
import { createFunctions, runFiles } from './run-sql.ts'

/** Organisations: their people, domains and tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runFiles(db, ['organisations/tables.sql'])
  await createFunctions(db, ['maintain_ticket', 'count_tickets', 'without_words'])
}

export const oldestCode = '0002-search'
