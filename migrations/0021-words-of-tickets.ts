import type { Kysely } from 'kysely'
import { createFunctions } from './run-sql.ts'

export const oldestCode = '0002-search'

/** The words of a ticket take those of its client from where they stand, instead of making them again for each ticket. They are the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFunctions(db, ['words_of_tickets'])
}
