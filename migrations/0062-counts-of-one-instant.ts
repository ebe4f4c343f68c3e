import { type Kysely, sql } from 'kysely'
import { createFunctions } from './run-sql.ts'

export const oldestCode = '0002-search'

/** A ticket that is merged, trashed or moved in the very instant of its last change is counted anew as well; then the counts are right. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The function of today reads it.
  await sql`alter table tickets add column if not exists field_values jsonb`.execute(db)
  await createFunctions(db, ['maintain_ticket'])
}
