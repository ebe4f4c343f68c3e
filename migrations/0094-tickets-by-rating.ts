import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false
export const oldestCode = '0002-search'

/** Lists of tickets by how their clients rated them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'csat_surveys_ratings_index',
    sql`csat_surveys (ticket_id, id) include (rating) where rating is not null`
  )
}
