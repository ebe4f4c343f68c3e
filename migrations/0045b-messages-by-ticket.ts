import { type Kysely, sql } from 'kysely'

export const inTransaction = false
export const oldestCode = '0028c-search-places'

/** The messages of a client are found by their tickets. For each new message, this index had to write a page that nothing else had touched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const concurrently = db.isTransaction ? sql`` : sql`concurrently`
  await sql`drop index ${concurrently} if exists ticket_messages_client_index`.execute(db)
}
