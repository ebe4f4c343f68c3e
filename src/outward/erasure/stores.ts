import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** What was done to a person's rows or files in one store. `kept` counts what is unchanged, for `reason`. */
export interface StoreReport {
  store: string
  removed: number
  anonymized: number
  kept: number
  reason: string | null
}

export function report(store: string, counts: Partial<Omit<StoreReport, 'store'>>): StoreReport {
  return { store, removed: 0, anonymized: 0, kept: 0, reason: null, ...counts }
}

/** Deletes the matching rows of a table. */
export async function removeRows(db: Db, table: string, fitting: RawBuilder<unknown>): Promise<StoreReport> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${fitting}`.execute(db)
  return report(table, { removed: Number(numAffectedRows ?? 0) })
}

/** Counts the matching rows of a table. */
export async function countRows(db: Db, table: string, fitting: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${fitting}`.execute(db)
  return rows[0]!.count
}

/** Within a query on a table with `ticket_id`: one of these tickets. */
export function ofTickets(tickets: readonly number[]): RawBuilder<unknown> {
  return sql`ticket_id = any(${tickets}::bigint[])`
}

/** Within a query on a table with `message_id`: of a message of one of these tickets. */
export function ofMessages(tickets: readonly number[]): RawBuilder<unknown> {
  return sql`message_id in (select id from ticket_messages where ${ofTickets(tickets)})`
}

/** Within a query on a table with `conversation_id`: of a side conversation of one of these tickets. */
export function ofConversations(tickets: readonly number[]): RawBuilder<unknown> {
  return sql`conversation_id = any(array(select id from side_conversations where ${ofTickets(tickets)}))`
}

/** Within a query on `ticket_attachments`: a file of one of these tickets, of a note on one or of a side conversation. */
export function filesOfTickets(tickets: number[]): RawBuilder<unknown> {
  return sql`(${ofTickets(tickets)} or note_id = any(array(select id from ticket_notes where ${ofTickets(tickets)}))
    or side_message_id = any(array(select id from side_messages where ${ofConversations(tickets)})))`
}

/** Within a query on `outbox_messages`: those about this client, whoever got them, and those to them about tickets of others, as in copy. */
export function messagesAbout(client: number): RawBuilder<unknown> {
  return sql`(outbox_messages.client_id = ${client} or ${olderMessagesTo(client)}
    or outbox_messages.id = any(array(select sent.outbox_message_id from sent_emails as sent
      where lower(sent.recipient) = (select lower(email) from clients where id = ${client}))))`
}

/** Within a query on `outbox_messages`: those sent to this client, at former addresses too. */
export function messagesTo(client: number | RawBuilder<number>): RawBuilder<unknown> {
  return sql`(outbox_messages.client_id = ${client} and outbox_messages.kind not like 'staff-%' and outbox_messages.kind not in ('follower-ticket', 'side-conversation') or ${olderMessagesTo(client)})`
}

/**
 * Older e-mails do not record whom they concern. Of these: those to an address or number of the client, as far as it is known and nobody
 * else has it.
 */
function olderMessagesTo(client: number | RawBuilder<number>): RawBuilder<unknown> {
  return sql`(outbox_messages.client_id is null and lower(outbox_messages.recipient) in (
      select lower(email) from clients where id = ${client}
      union select lower(phone_number) from clients where id = ${client}
      union select lower(former_email) from email_changes where client_id = ${client}
      union select lower(target) from verification_codes where client_id = ${client})
    and not exists (select from clients as other where other.id <> ${client}
      and (lower(other.email) = lower(outbox_messages.recipient) or other.phone_number = outbox_messages.recipient)))`
}

/** Within a query on a table with `ticket_id`: of an organisation to which the client has belonged, where they may have written as a manager. */
export function isInManagedTicket(client: number): RawBuilder<boolean> {
  return sql<boolean>`ticket_id in (
    select tickets.id from tickets where tickets.organisation_id in (
      select (audit_log.after->>'organisation_id')::bigint from audit_log
      where target_type = 'client' and target_id = ${client} and action = 'client.organisation_changed'))`
}
