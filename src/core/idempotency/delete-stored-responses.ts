import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { Population } from '../tables/columns.ts'

/** Deletes the responses given to an account, and those about it, given to anybody. Returns their number. */
export async function deleteStoredResponses(
  db: Db,
  { population, id }: { population: Population; id: number }
): Promise<number> {
  return (await forget(db, { account: `${population}:${id}` })).length
}

const forget = prepared((db, p: { account: string }) =>
  db.deleteFrom('idempotency_keys').where('people', '@>', sql<string[]>`array[${p.account}]::text[]`).returning('scope')
)
