import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { deleteStoredResponses } from '../../core/idempotency/delete-stored-responses.ts'
import { noContact } from '../../people/clients/columns.ts'
import { erasedEmail, erasedName } from '../../people/clients/erased.ts'
import { anonymizeEvents } from './anonymize-events.ts'
import type { LockedClientData } from './lock-client-data.ts'
import {
  removeCredentials,
  removeFollowers,
  removeRecipients,
  removeTraces,
  replaceNamesAsManager
} from './remove-rows.ts'
import { anonymizeSplitOff } from './split-off.ts'
import {
  countRows,
  filesOfTickets,
  messagesTo,
  ofConversations,
  ofMessages,
  ofTickets,
  removeRows,
  report,
  type StoreReport
} from './stores.ts'

const words = 'What was written stays, whoever it may name'

/** Removes the personal data from a client's rows; the tickets and their messages stay. `password` is the hash of one that nobody knows. */
export async function anonymizeEverything(
  db: Db,
  everything: LockedClientData,
  { password, now }: { password: string; now: Date }
): Promise<StoreReport[]> {
  const { id, tickets } = everything
  const traces = await removeTraces(db, everything)
  await anonymizeClient(db, everything, password, now)
  const names = await replaceNames(db, id)
  await removeAddresses(db, tickets)
  const emails = await withoutSenders(db, tickets)
  const splitOff = await anonymizeSplitOff(db, id)
  const keptOf = async (table: string, anonymized = 0) =>
    report(table, { anonymized, kept: (await countRows(db, table, ofTickets(tickets))) - anonymized, reason: words })
  return [
    report('clients', { anonymized: 1 }),
    // Triggers update the names in the search words together with those of the client.
    report('client_words', { anonymized: 1 }),
    report('ticket_words', { anonymized: tickets.length }),
    report('tickets', { kept: tickets.length, reason: words }),
    { ...(await keptOf('ticket_messages', names.messages)), anonymized: names.messages + splitOff },
    report('ticket_attachments', {
      kept: await countRows(db, 'ticket_attachments', filesOfTickets(tickets)),
      reason: words
    }),
    report('message_emails', { anonymized: emails }),
    // What has not been sent is not sent to nobody.
    await removeRows(db, 'waiting_replies', ofTickets(tickets)),
    await removeRows(db, 'waiting_side_messages', ofTickets(tickets)),
    await removeRows(db, 'ticket_drafts', ofTickets(tickets)),
    await removeRecipients(db, everything),
    await keptOf('ticket_notes'),
    ...(await withoutClientAside(db, everything)),
    await keptOf('ticket_fields'),
    await withoutComments(db, tickets),
    await removeFollowers(db, everything),
    names.events,
    ...traces
  ]
}

/**
 * Anonymizes rows that requests added while the client was being erased, still under the former name, and removes messages to the former
 * address. Returns the number of rows.
 */
export async function scrub(db: Db, id: number): Promise<number> {
  const { messages, events } = await replaceNames(db, id)
  const queued = await removeRows(db, 'outbox_messages', messagesTo(id))
  const credentials = await removeCredentials(db, id)
  const answers = await deleteStoredResponses(db, { population: 'client', id })
  const removed = [queued, ...credentials].reduce((total, { removed }) => total + removed, 0)
  return messages + events.anonymized + removed + answers
}

async function anonymizeClient(db: Db, client: LockedClientData, password: string, now: Date): Promise<void> {
  await db
    .updateTable('clients')
    .set({
      ...erasedName,
      email: erasedEmail(client.id),
      ...noContact,
      language: null,
      password,
      is_active: false,
      two_factor_enabled: false,
      two_factor_secret: null,
      two_factor_pending_secret: null,
      two_factor_last_step: null,
      profile_picture: null,
      is_email_verified: false,
      former_emails: [],
      is_phone_verified: false,
      organisation_id: null,
      organisation_role: null,
      organisation_joined_by: null,
      ticket_emails: false,
      automatic_emails: true,
      rating_emails: true,
      unverified_emails_sent: 0,
      updated_at: now
    })
    .where('id', '=', client.id)
    .execute()
}

/** Removes the people named in e-mails, and the HTML, which would still show them. */
async function withoutSenders(db: Db, tickets: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update message_emails set from_email = null, from_name = null, recipients = '{"to": [], "cc": []}', html = null
    where ${ofMessages(tickets)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Takes the client's name out of what was forwarded to third parties, and the client as a third party out of other tickets' side conversations. */
async function withoutClientAside(db: Db, { email, tickets }: LockedClientData): Promise<StoreReport[]> {
  const name = `${erasedName.first_name} ${erasedName.last_name}`
  const forwarded = await sql`
    update side_messages set email_html = null, forwarded = (
      select coalesce(jsonb_agg(case when (part->>'is_client')::boolean then part || ${JSON.stringify({ by: name })}::jsonb else part end), '[]')
      from jsonb_array_elements(forwarded) as part)
    where ${ofConversations(tickets)}`.execute(db)
  const written = await sql`
    update side_messages set sender_name = ${name}, sender_email = '', email_html = null
    where lower(sender_email) = lower(${email}) and conversation_id in (
      select conversation_id from side_participants where lower(email) = lower(${email}))`.execute(db)
  const people = await sql`
    update side_participants set name = ${name}, email = concat('erased-', id) where lower(email) = lower(${email})`.execute(
    db
  )
  const messages = Number(forwarded.numAffectedRows ?? 0) + Number(written.numAffectedRows ?? 0)
  return [
    report('side_conversations', {
      kept: await countRows(db, 'side_conversations', ofTickets(tickets)),
      reason: words
    }),
    report('side_messages', { anonymized: messages }),
    report('side_participants', { anonymized: Number(people.numAffectedRows ?? 0) })
  ]
}

/** Removes the addresses by which tickets and messages came: nobody has the account any more. */
async function removeAddresses(db: Db, tickets: readonly number[]): Promise<void> {
  await sql`update tickets set client_email = null where id = any(${tickets}::bigint[]) and client_email is not null`.execute(
    db
  )
  await sql`update ticket_messages set client_email = null where ${ofTickets(tickets)} and client_email is not null`.execute(
    db
  )
}

/** Replaces the names in the client's messages, and in the event log. */
async function replaceNames(db: Db, id: number): Promise<{ messages: number; events: StoreReport }> {
  const { first_name, last_name } = erasedName
  const messages = await sql`
    update ticket_messages set sender_first_name = ${first_name}, sender_last_name = ${last_name}
    where ticket_id in (select id from tickets where client_id = ${id}) and client_id = ${id}
      and (sender_first_name, sender_last_name) <> (${first_name}, ${last_name})`.execute(db)
  const ofOthers = await replaceNamesAsManager(db, id)
  return { messages: Number(messages.numAffectedRows ?? 0) + ofOthers, events: await anonymizeEvents(db, id) }
}

/** The ratings stay, without words; their links open nothing any more. */
async function withoutComments(db: Db, tickets: readonly number[]): Promise<StoreReport> {
  const { numAffectedRows } = await sql`
    update csat_surveys set comment = null, token_digest = null, due_at = null
    where ${ofTickets(tickets)} and (comment is not null or token_digest is not null or due_at is not null)`.execute(db)
  return report('csat_surveys', { anonymized: Number(numAffectedRows ?? 0) })
}
