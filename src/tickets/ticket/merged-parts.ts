import { sql } from 'kysely'

/** Within a query on `tickets`: matches the ids of the ticket and of those merged into it. */
export const anyPart = sql<number>`any(array(
  select tickets.id union all select part.id from tickets as part where part.merged_into_id = tickets.id))`
