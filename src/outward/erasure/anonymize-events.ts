import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { erasedName, nameOf } from '../../people/clients/erased.ts'
import { isInManagedTicket, report, type StoreReport } from './stores.ts'

/**
 * Anonymizes a client in the event log: name, network address and request id of their own actions, and texts in events by and about their
 * account; with `tickets`, also in events of their tickets. What they did as a manager in tickets of others is theirs, too. The events stay, with ids only.
 */
export async function anonymizeEvents(db: Db, id: number, { tickets = false } = {}): Promise<StoreReport> {
  const isTheirs = sql`actor_type = 'client' and actor_id = ${id}`
  const isScrubbed = tickets ? sql`true` : sql`ticket_id is null`
  const scrubbed = sql`
    case when ${isTheirs} then ${nameOf(erasedName)} else actor_name end,
    case when ${isTheirs} then null else ip_address end,
    case when ${isTheirs} then null else request_id end,
    case when ${isScrubbed} then without_words(before) else before end::text,
    case when ${isScrubbed} then without_words(after) else after end::text`
  const { numAffectedRows } = await sql`
    update events set (actor_name, ip_address, request_id, before, after) = (
      select name, ip, request, formerly::json, afterwards::json
      from (select ${scrubbed}) as scrubbed (name, ip, request, formerly, afterwards))
    where (ticket_id in (select tickets.id from tickets where tickets.client_id = ${id})
        or (ticket_id is null and client_id = ${id})
        or (${isTheirs} and ${isInManagedTicket(id)}))
      and row (actor_name, ip_address, request_id, before::text, after::text) is distinct from row (${scrubbed})`.execute(
    db
  )
  return report('events', { anonymized: Number(numAffectedRows ?? 0) })
}
