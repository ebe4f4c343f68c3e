import { type RawBuilder, sql } from 'kysely'
import { type BoundVisibility, isForClient, isPartSeen } from './visibility.ts'

/** Within a query on `tickets`: matches the ids of the ticket and of those merged into it. */
export const anyPart = sql<number>`any(array(
  select tickets.id union all select part.id from tickets as part where part.merged_into_id = tickets.id))`

/** Within a query on `tickets`: matches the ids of the ticket and of those merged into it, for a client without those that they do not see. */
export function visibleParts(boundVisibility: BoundVisibility): RawBuilder<number> {
  if (!isForClient(boundVisibility.visibility)) return anyPart
  return sql<number>`any(array(select tickets.id union all
    select part.id from tickets as part where part.merged_into_id = tickets.id and ${isPartSeen(boundVisibility, 'part')}))`
}
