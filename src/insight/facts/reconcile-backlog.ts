import { sql } from 'kysely'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { catchUpReports } from './report-work.ts'

/** While people write, an event may come between the catching up and the look. */
const mostTries = 5

/**
 * Compares the tickets that are open by the reports with those of the sums that the database keeps of the tickets, department by department, and
 * notes the difference, for metrics and `deskline doctor`. Returns undefined if too much went on to compare them: the next time will do.
 */
export async function reconcileBacklog(
  services: Pick<Services, 'db' | 'clock' | 'events' | 'log'>
): Promise<number | undefined> {
  const { db, clock, log } = services
  for (let attempt = 0; attempt < mostTries; attempt++) {
    await catchUpReports(services)
    const difference = await differenceAtRest(db)
    if (difference === undefined) continue
    await noteDifference(db, { difference, now: clock.now() })
    if (difference !== 0)
      log.warn({ difference }, 'Reports and tickets disagree on what is open: run "deskline reports rebuild"')
    return difference
  }
  return undefined
}

/** What the last comparison has found; 0 if there was none yet. */
export const backlogDifference = prepared(db =>
  db.selectFrom('report_state').select(['backlog_difference', 'reconciled_at'])
)

/** In one moment in which everything that was written is counted; undefined if something is not. */
async function differenceAtRest(db: Db): Promise<number | undefined> {
  return await transaction(db, async db => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db)
    const [moment] = await isAtRest(db, {})
    if (!moment!.is_at_rest) return undefined
    const { rows } = await sql<{ difference: number }>`
      select coalesce(sum(abs(coalesce(counted.open, 0) - coalesce(kept.open, 0))), 0) as difference
      from (select key as department_id, sum(n) as open from report_days
        where figure = 'open' and dimension = 'department' group by key) as counted
      full join (select department_id, sum(tickets) as open from ticket_counts
        where status <> 'Closed' group by department_id) as kept using (department_id)`.execute(db)
    return rows[0]!.difference
  })
}

const isAtRest = prepared(db =>
  db.selectNoFrom(
    sql<boolean>`(
      (select filled_up_to is null from report_state)
      and not exists (select from report_dirty)
      and (select last_place from event_sequencer) = (select place from event_readers where name = 'reports')
      and not exists (select from events where id > (select seen_id from event_sequencer))
      and not exists (
        select from event_sequencer cross join lateral json_to_recordset(gaps::json) as gap ("from" bigint, "to" bigint)
        join events on events.id between gap."from" and gap."to"))`.as('is_at_rest')
  )
)

const noteDifference = prepared((db, p: { difference: number; now: Date }) =>
  db.updateTable('report_state').set({ backlog_difference: p.difference, reconciled_at: p.now })
)
