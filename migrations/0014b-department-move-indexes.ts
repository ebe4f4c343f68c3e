import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false

/** The next tickets of a department are found without reading those that have left it, and the oldest news without reading all. */
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
