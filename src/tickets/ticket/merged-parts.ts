import { type RawBuilder, sql } from 'kysely'
import { type BoundVisibility, isOfProvenAddress } from './visibility.ts'

/** Within a query on `tickets`: matches the ids of the ticket and of those merged into it. */
export const anyPart = sql<number>`any(array(
  select tickets.id union all select part.id from tickets as part where part.merged_into_id = tickets.id))`

/** Within a query on `tickets`: matches the ids of the ticket and of those merged into it, for a client without those withheld from the account. */
export function visibleParts({ visibility }: Pick<BoundVisibility, 'visibility'>): RawBuilder<number> {
  if (visibility.column !== 'client_id') return anyPart
  return sql<number>`any(array(select tickets.id union all
    select part.id from tickets as part where part.merged_into_id = tickets.id and ${isOfProvenAddress('part')}))`
}
