import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { countsFor } from '../../tickets/queue/counts.ts'
import { deskVisibility } from '../../tickets/ticket/visibility.ts'
import { reportState } from '../facts/report-state.ts'
import { catchUpReports } from '../facts/report-work.ts'

/** The figures of a screen in the room, of the tickets that the actor sees: no names of clients, and none of their words. */
export async function wallFor(services: Services, actor: StaffActor) {
  const { db, clock } = services
  await catchUpReports(services)
  const now = clock.now()
  const { open, unassigned, breaching_soon, customer_reply } = await countsFor(db, actor, now)
  const { zone } = await reportState(db)
  const today = await ofToday(db, actor, now)
  return { now: now.toISOString(), time_zone: zone, open, unassigned, breaching_soon, customer_reply, ...today }
}

async function ofToday(db: Db, actor: StaffActor, now: Date) {
  const { column, departments } = deskVisibility(actor)
  const seen = [
    ...(column ? [sql`staff_id = ${actor.id}`] : []),
    ...(departments ? [sql`department_id = any(${departments}::bigint[])`] : [])
  ]
  const { rows } = await sql<Record<'opened_today' | 'closed_today' | 'answered_today', number>>`
    select count(*) filter (where figure = 'opened') as opened_today, count(*) filter (where figure = 'closed') as closed_today,
      count(distinct ticket_id) filter (where figure = 'replies') as answered_today
    from ticket_facts
    where figure in ('opened', 'closed', 'replies')
      and at >= date_trunc('day', ${now}::timestamptz, (select zone from report_state))
      and ${sql.join([sql`true`, ...seen], sql` and `)}`.execute(db)
  return rows[0]!
}
