import { sql } from 'kysely'

/** Within a query on `tickets`: any of the ids of the ticket and of those that were merged into it. */
export const anyPart = sql<number>`any(array(
  select tickets.id union all select part.id from tickets as part where part.merged_into_id = tickets.id))`

/** What those who write a ticket read of it in the same statement. */
export const writtenColumns = [
  'tickets.id',
  'tickets.ticket_number',
  'tickets.client_id',
  'tickets.department_id',
  'tickets.subject',
  'tickets.priority',
  'tickets.status',
  'tickets.version',
  'tickets.created_at'
] as const
