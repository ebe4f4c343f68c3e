import { sql } from 'kysely'
import { type Db, transaction } from '../../core/db.ts'

/** The number of departments and statuses whose stored sums differ from a count. Reads an index of all tickets. */
export async function countMismatches(db: Db): Promise<number> {
  const { rows } = await sql<{ wrong: number }>`
    select count(*) as wrong
    from (select department_id, status, count(*) as tickets from tickets
      where trashed_at is null and merged_into_id is null group by department_id, status) as counted
    full join (select department_id, status, sum(tickets) as tickets from ticket_counts
      group by department_id, status having sum(tickets) <> 0) as kept using (department_id, status)
    where counted.tickets is distinct from kept.tickets`.execute(db)
  return rows[0]!.wrong
}

/** Rebuilds the sums from the tickets, however long it takes; meanwhile tickets can be read but not written. */
export async function recountTickets(db: Db): Promise<void> {
  await transaction(db, async db => {
    await sql`set local statement_timeout = 0`.execute(db)
    await sql`select recount_tickets()`.execute(db)
  })
}
