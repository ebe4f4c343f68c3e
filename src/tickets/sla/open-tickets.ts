import { sql } from 'kysely'
import { prepared } from '../../core/db.ts'

/** How many open tickets have a clock of each policy that has not ended; policies without any are missing. */
export const openTicketsOf = prepared(db =>
  db
    .selectFrom('sla_clocks')
    .innerJoin('tickets', 'tickets.id', 'sla_clocks.ticket_id')
    .where('sla_clocks.ended_at', 'is', null)
    .where('tickets.status', '<>', sql.lit('Closed' as const))
    .where('tickets.merged_into_id', 'is', null)
    .where('tickets.trashed_at', 'is', null)
    .groupBy('sla_clocks.policy_id')
    .orderBy('sla_clocks.policy_id')
    .select(['sla_clocks.policy_id', sql<number>`count(distinct tickets.id)::int`.as('count')])
)
