import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../src/core/db.ts'

/** The sums that the database keeps of its tickets are what counting them gives. */
export async function ticketCountsAreRight(db: Db): Promise<void> {
  const { rows } = await sql`
    select department_id, status, assigned_staff_id, counted.tickets, kept.tickets as kept
    from (select department_id, status, coalesce(assigned_staff_id, 0) as assigned_staff_id, count(*) as tickets from tickets
      where trashed_at is null and merged_into_id is null group by 1, 2, 3) as counted
    full join (select department_id, status, coalesce(assigned_staff_id, 0) as assigned_staff_id, sum(tickets) as tickets
      from ticket_counts group by 1, 2, 3 having sum(tickets) <> 0) as kept
      using (department_id, status, assigned_staff_id)
    where counted.tickets is distinct from kept.tickets`.execute(db)
  assert.deepEqual(rows, [])
}
