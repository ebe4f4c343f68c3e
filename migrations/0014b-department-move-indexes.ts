import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false

/** By these indexes the next tickets of a department are found without reading moved ones, and the oldest unprocessed events without reading all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(db, 'tickets_of_department_index', sql`tickets (department_id, id)`)
  await makeIndex(
    db,
    'ticket_events_waiting_index',
    sql`ticket_events (coalesce(postponed_to, created_at), id) where told_at is null`
  )
  const concurrently = db.isTransaction ? sql`` : sql`concurrently`
  for (const replaced of ['tickets_department_index', 'ticket_events_untold_index']) {
    await sql`drop index ${concurrently} if exists ${sql.ref(replaced)}`.execute(db)
  }
}
