import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false
export const oldestCode = '0022-desk-logo'

/**
 * A change of a ticket's status or `updated_at` is written into each index with that column. So each kind of list has one index; the
 * columns that filter a list follow those of its order, so that filtering does not read the ticket.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'tickets_of_client_index',
    sql`tickets (client_id, updated_at desc, id desc, status, department_id)`
  )
  await makeIndex(
    db,
    'tickets_unclosed_index',
    sql`tickets (updated_at desc, id desc, status, department_id, assigned_staff_id)
      where status <> 'Closed' and trashed_at is null and merged_into_id is null`
  )
  const concurrently = db.isTransaction ? sql`` : sql`concurrently`
  for (const replaced of [
    'tickets_client_index',
    'tickets_client_status_index',
    'tickets_client_department_index',
    'tickets_client_newest_index',
    'tickets_queue_status_index',
    'tickets_queue_department_index',
    'tickets_unassigned_index'
  ]) {
    await sql`drop index ${concurrently} if exists ${sql.ref(replaced)}`.execute(db)
  }
}
