import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { deleteStoredResponses } from '../../core/idempotency/delete-stored-responses.ts'
import { accountKey, deleteAttempts } from '../../core/rate-limits/attempts.ts'
import { erasedName } from '../../people/clients/erased.ts'
import { anonymizeEvents } from './anonymize-events.ts'
import { eraseMailLog } from './erase-mail-log.ts'
import type { LockedClientData } from './lock-client-data.ts'
import { scrubWebhooks } from './scrub-webhooks.ts'
import { anonymizeSplitOff } from './split-off.ts'
import {
  filesOfTickets,
  isInManagedTicket,
  messagesAbout,
  ofConversations,
  ofMessages,
  ofTickets,
  removeRows,
  report,
  type StoreReport
} from './stores.ts'

const belongToTickets = [
  'ticket_words',
  'ticket_notes',
  'side_conversations',
  'ticket_tags',
  'ticket_fields',
  'ticket_watchers',
  'ticket_reads',
  'snoozes',
  'waiting_replies',
  'waiting_side_messages',
  'ticket_drafts',
  'sla_clocks',
  'sla_tickets',
  'csat_surveys',
  'kb_links',
  'pending_notifications'
]
const belongToClients = [
  'sessions',
  'login_challenges',
  'reset_tokens',
  'email_changes',
  'unconfirmed_tickets',
  'verification_codes',
  'recovery_codes',
  'passkeys',
  'sso_identities',
  'passkey_challenges',
  'known_devices',
  'ticket_manager_follows',
  'organisation_exits',
  'kb_feedback'
]

/**
 * Removes a client with all that belongs to them, table by table, to report the number of rows; rows in other tables are deleted by cascade
 * (contract: tickets and codes are removed with the client).
 */
export async function removeEverything(db: Db, everything: LockedClientData): Promise<StoreReport[]> {
  const { id, tickets } = everything
  const stores = [await anonymizeEvents(db, id, { tickets: true }), await removeFollowers(db, everything)]
  const splitOff = await anonymizeSplitOff(db, id)
  stores.push(await removeRows(db, 'message_emails', ofMessages(tickets)))
  stores.push(await removeRecipients(db, everything))
  stores.push(await removeRows(db, 'ticket_attachments', filesOfTickets(tickets)))
  for (const table of ['side_messages', 'side_participants'])
    stores.push(await removeRows(db, table, ofConversations(tickets)))
  for (const table of belongToTickets) stores.push(await removeRows(db, table, ofTickets(tickets)))
  const asManager = await replaceNamesAsManager(db, id)
  stores.push({ ...(await removeRows(db, 'ticket_messages', ofTickets(tickets))), anonymized: splitOff + asManager })
  stores.push(await removeRows(db, 'ticket_links', betweenTickets('from_id', 'to_id', tickets)))
  stores.push(await removeRows(db, 'ticket_splits', betweenTickets('source_id', 'target_id', tickets)))
  stores.push(await removeRows(db, 'tickets', sql`client_id = ${id}`))
  stores.push(await removeRows(db, 'client_ticket_changes', sql`client_id = ${id}`))
  stores.push(...(await removeTraces(db, everything)))
  stores.push(await removeRows(db, 'client_words', sql`client_id = ${id}`))
  stores.push(await removeRows(db, 'clients', sql`id = ${id}`))
  return stores
}

/** Within a query on what leads from ticket to ticket: one of these is at one of the ends. */
function betweenTickets(from: string, to: string, tickets: readonly number[]) {
  return sql`(${sql.ref(from)} = any(${tickets}::bigint[]) or ${sql.ref(to)} = any(${tickets}::bigint[]))`
}

/** Replaces the names in messages that the client has written as a manager in tickets of others, which stay. Returns their number. */
export async function replaceNamesAsManager(db: Db, id: number): Promise<number> {
  const { first_name, last_name } = erasedName
  const messages = await sql`
    update ticket_messages set sender_first_name = ${first_name}, sender_last_name = ${last_name}
    where client_id = ${id} and ${isInManagedTicket(id)}
      and (sender_first_name, sender_last_name) <> (${first_name}, ${last_name})`.execute(db)
  return Number(messages.numAffectedRows ?? 0)
}

/** Removes what a client's logins and e-mails, sent and received, have left. */
export async function removeTraces(db: Db, everything: LockedClientData): Promise<StoreReport[]> {
  const { id, email, phone_number } = everything
  const emails = await removeRows(db, 'outbox_messages', messagesAbout(id))
  const accounts = [accountKey('client', email), accountKey('client', id), phone_number.replace(/\D/g, '')]
  const attempts = report('rate_limits', { removed: await deleteAttempts(db, accounts) })
  const answers = report('idempotency_keys', { removed: await deleteStoredResponses(db, { population: 'client', id }) })
  return [
    emails,
    attempts,
    answers,
    ...(await removeMails(db, everything)),
    await eraseMailLog(db, everything),
    ...(await scrubWebhooks(db, id)),
    ...(await removeCredentials(db, id))
  ]
}

/** The followers of a client's tickets, and the client as a follower of others. */
export async function removeFollowers(db: Db, { email, tickets }: LockedClientData): Promise<StoreReport> {
  return await removeRows(db, 'ticket_followers', sql`${ofTickets(tickets)} or lower(email) = lower(${email})`)
}

/** Whom replies in a client's tickets went to, and the client's address among the recipients of other replies. */
export async function removeRecipients(db: Db, { email, tickets }: LockedClientData): Promise<StoreReport> {
  const removed = await removeRows(db, 'reply_recipients', ofMessages(tickets))
  const without = (list: string) =>
    sql`(select coalesce(jsonb_agg(address), '[]') from jsonb_array_elements_text(recipients->${list}) as address
      where lower(address) <> lower(${email}))`
  const { numAffectedRows } = await sql`
    update reply_recipients set recipients = recipients
      || jsonb_build_object('to', ${without('to')}, 'bcc', ${without('bcc')}, 'cc_once', ${without('cc_once')})
      || case when jsonb_typeof(recipients->'cc') = 'array' then jsonb_build_object('cc', ${without('cc')}) else '{}' end
    where lower(recipients::text) like '%' || lower(to_jsonb(${email}::text)::text) || '%'`.execute(db)
  return { ...removed, anonymized: Number(numAffectedRows ?? 0) }
}

/** The raw messages are deleted with their rows, and their files afterwards. */
async function removeMails(db: Db, { id, email, tickets }: LockedClientData): Promise<StoreReport[]> {
  const ofClient = sql`client_id = ${id} or ${ofTickets(tickets)}`
  return [
    await removeRows(
      db,
      'inbound_mails',
      sql`${ofClient} or lower(sender) = lower(${email}) or (state = 'held' and lower(envelope_sender) = lower(${email}))`
    ),
    await removeRows(db, 'blocked_senders', sql`sender = lower(${email})`),
    await removeRows(db, 'sent_emails', sql`${ofClient} or lower(recipient) = lower(${email})`),
    await removeRows(db, 'undeliverable_addresses', sql`lower(email) = lower(${email})`)
  ]
}

/** Removes the rows by which a client is or could be logged in. */
export async function removeCredentials(db: Db, id: number): Promise<StoreReport[]> {
  // Tokens before sessions: rotating a token locks it first and then its session.
  const ofClient = sql`session_id in (select sessions.id from sessions where sessions.client_id = ${id})`
  const ownTokens = sql`id in (select sessions.id from sessions where sessions.client_id = ${id})`
  const stores = [await removeRows(db, 'refresh_tokens', ofClient), await removeRows(db, 'api_tokens', ownTokens)]
  for (const table of belongToClients) stores.push(await removeRows(db, table, sql`client_id = ${id}`))
  return stores
}
