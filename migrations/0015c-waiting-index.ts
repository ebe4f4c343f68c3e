import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false

/** By this index the unassigned ticket that has waited longest is found first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'tickets_waiting_index',
    sql`tickets (coalesce(waiting_since, created_at), id, department_id)
      where assigned_staff_id is null and merged_into_id is null and trashed_at is null
        and status in ('Open', 'In Progress', 'Customer-Reply')`
  )
}
