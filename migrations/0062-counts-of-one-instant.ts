import type { Kysely } from 'kysely'
import { createFunctions } from './run-sql.ts'

export const oldestCode = '0002-search'

/** A ticket that is merged, trashed or moved in the very instant of its last change is counted anew as well; then the counts are right. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFunctions(db, ['maintain_ticket'])
}
