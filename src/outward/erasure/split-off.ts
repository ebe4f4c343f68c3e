import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { erasedName } from '../../people/clients/erased.ts'

/** Within a query on `ticket_messages`: a message of this client that was split off into the ticket of somebody else, also by way of others. */
function isSplitOff(client: number): RawBuilder<unknown> {
  return sql`(ticket_messages.client_id = ${client} and ticket_messages.ticket_id in (
    with recursive part (id) as (
      select split.target_id from ticket_splits as split join tickets as source on source.id = split.source_id
        where source.client_id = ${client}
      union select further.target_id from ticket_splits as further join part on part.id = further.source_id)
    select part.id from part join tickets as theirs on theirs.id = part.id where theirs.client_id <> ${client}))`
}

/** Removes the client's name and addresses from these messages, which stay with whoever has the ticket. Returns how many there are. */
export async function anonymizeSplitOff(db: Db, client: number): Promise<number> {
  const { first_name, last_name } = erasedName
  await sql`
    update message_emails set from_email = null, from_name = null, recipients = '{"to": [], "cc": []}', html = null
    where message_id in (select id from ticket_messages where ${isSplitOff(client)})`.execute(db)
  const { numAffectedRows } = await sql`
    update ticket_messages set sender_first_name = ${first_name}, sender_last_name = ${last_name}, client_email = null
    where ${isSplitOff(client)}`.execute(db)
  await sql`
    update ticket_splits set client_emails = '{}'
    where source_id in (select id from tickets where client_id = ${client}) and client_emails <> '{}'`.execute(db)
  return Number(numAffectedRows ?? 0)
}
