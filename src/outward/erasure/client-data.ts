import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { clientColumns } from '../../people/clients/columns.ts'
import { messagesTo } from './stores.ts'

/** The name of an attachment's file in the archive; null unless the file is known to be clean. */
export const fileInArchive = sql<string | null>`
  case when scan_state = 'clean' then 'files/' || ticket_attachments.id || '-' || file_name end`

/**
 * All data stored about a client, as the JSON of one object, some hundred rows at a time: what they entered, did and wrote, the replies, and what was sent
 * to them. No secrets and no internal notes: each part names its columns.
 */
export async function* clientData(db: Db, id: number, now: Date): AsyncGenerator<string> {
  // A cursor takes no parameters.
  const of = sql.lit(id)
  const { rows } = await parts.client(of).execute(db)
  yield `{\n"exported_at": ${JSON.stringify(timestamp(now))},\n"client": ${asJson(rows[0]!)}`
  for (const [name, part] of Object.entries(parts).filter(([name]) => name !== 'client')) {
    yield `,\n${JSON.stringify(name)}: [`
    let isFirst = true
    for await (const rows of batchesOf(db, part(of))) {
      if (rows.length === 0) continue
      yield `${isFirst ? '' : ','}\n${rows.map(asJson).join(',\n')}`
      isFirst = false
    }
    yield ']'
  }
  yield '\n}\n'
}

const batchSize = 500

interface Row {
  id: number
  [column: string]: unknown
}

type ClientId = RawBuilder<number>

const ofClient = (id: ClientId) => sql`ticket_id in (select tickets.id from tickets where tickets.client_id = ${id})`

// Each is a query with an id, by which its rows are ordered.
const parts: Record<string, (id: ClientId) => RawBuilder<Row>> & Record<'client', (id: ClientId) => RawBuilder<Row>> = {
  client: id => sql`
    select id, ${sql.join(clientColumns.map(name => sql.ref(name)))}, language, is_active, two_factor_enabled, profile_picture, is_email_verified, former_emails, is_phone_verified, ticket_emails, automatic_emails,
      rating_emails, unverified_emails_sent, organisation_role, created_at, updated_at,
      (select name from organisations where organisations.id = clients.organisation_id) as organisation
    from clients where id = ${id}`,
  sessions: id => sql`select id, signed_in_by, created_at, ended_at from sessions where client_id = ${id}`,
  refresh_tokens: id => sql`
    select refresh_tokens.id, session_id, user_agent, ip_address, is_revoked, revoked_at, expires_at, refresh_tokens.created_at
    from refresh_tokens join sessions on sessions.id = session_id where client_id = ${id}`,
  api_tokens: id => sql`
    select api_tokens.id, name, last_four, addresses, is_read_only, expires_at, last_used_on, last_used_network
    from api_tokens join sessions on sessions.id = api_tokens.id where client_id = ${id}`,
  login_challenges: id => sql`
    select id, attempts, used_at, expires_at, created_at from login_challenges where client_id = ${id}`,
  ratings: id => sql`
    select id, ticket_id, sent_at, rating, comment, rated_at, changed_at from csat_surveys
    where ${ofClient(id)} and (sent_at is not null or rating is not null)`,
  article_answers: id => sql`
    select article_id as id, locale, is_helpful, comment, solved_at, created_at, updated_at from kb_feedback
    where client_id = ${id}`,
  articles_read: id => sql`
    select article_id as id, ticket_id, created_at from kb_links where how = 'suggested' and ${ofClient(id)}`,
  reset_tokens: id => sql`
    select id, email, used_at, voided_at, expires_at, created_at from reset_tokens where client_id = ${id}`,
  email_changes: id =>
    sql`select id, former_email, is_former_verified, changed_by, created_at from email_changes where client_id = ${id}`,
  unconfirmed_tickets: id => sql`
    select id, email, subject, message, expires_at, created_at from unconfirmed_tickets where client_id = ${id}`,
  verification_codes: id => sql`
    select id, type, target, attempts, is_used, expires_at, created_at from verification_codes where client_id = ${id}`,
  recovery_codes: id => sql`select id, used_at, created_at from recovery_codes where client_id = ${id}`,
  passkeys: id => sql`
    select id, name, transports, is_backed_up, aaguid, host, blocked_at, created_at, last_used_at from passkeys where client_id = ${id}`,
  sso_identities: id => sql`
    select id, provider_id, subject, created_at, last_used_at from sso_identities where client_id = ${id}`,
  known_devices: id => sql`select id, seen_at from known_devices where client_id = ${id}`,
  passkey_challenges: id => sql`
    select id, expires_at, used_at, created_at from passkey_challenges where client_id = ${id}`,
  tickets: id => sql`
    select tickets.id, ticket_number, client_email, departments.name as department_name, subject, priority, status, message_count,
      attachment_count, merged_into_id, tickets.created_at, updated_at, closed_at, trashed_at
    from tickets join departments on departments.id = department_id where client_id = ${id}`,
  ticket_fields: id => sql`
    select ticket_id as id, jsonb_object_agg(key, values -> ('f' || fields.id)) as values
    from ticket_fields join fields on values -> ('f' || fields.id) is not null and client_access <> 'none'
    where ${ofClient(id)} group by ticket_id`,
  messages: id => sql`
    select ticket_messages.id, ticket_id, case sender_type when 'client' then 'customer' else sender_type end as sender_type,
      sender_first_name as first_name, sender_last_name as last_name, message, created_at
    from ticket_messages where ${ofClient(id)}`,
  message_emails: id => sql`
    select message_emails.message_id as id, from_email, from_name, ${withoutKeys('message_emails.recipients::text')}::jsonb as recipients, subject, quoted, html, is_automatic
    from message_emails join ticket_messages on ticket_messages.id = message_emails.message_id
    where ${ofClient(id)} and ticket_messages.client_id = ${id}`,
  followers: id => sql`
    select id, ticket_id, email, name, added_by, sender_verdict, ended_by, ended_at, created_at from ticket_followers where ${ofClient(id)}`,
  following: id => sql`
    select id, ticket_id, email, name, ended_at, created_at from ticket_followers
    where not ${ofClient(id)} and lower(email) = (select lower(email) from clients where id = ${id})`,
  managed_tickets: id => sql`
    select ticket_id as id, is_following, created_at from ticket_manager_follows where client_id = ${id}`,
  inbound_mails: id => sql`
    select id, via, ${withoutKeys('envelope_recipient')} as envelope_recipient, sender, sender_name, subject, size_bytes, state, is_automatic, ticket_id, message_id, received_at
    from inbound_mails where client_id = ${id}
      or (state = 'held' and lower(sender) = (select lower(email) from clients where clients.id = ${id}))`,
  blocked_senders: id => sql`
    select id, sender, created_at from blocked_senders where sender = (select lower(email) from clients where clients.id = ${id})`,
  sent_emails: id => sql`
    select id, kind, recipient, ticket_id, bounced_at, bounce_status, bounce_reason, delivered_at, delayed_at, created_at
    from sent_emails where client_id = ${id} and kind not like 'staff-%' and kind not in ('follower-ticket', 'side-conversation')`,
  mail_log: id => sql`
    select id, direction, at, outcome, case direction when 'in' then sender end as sender, case direction when 'out' then recipients end as recipients,
      size_bytes, ticket_id
    from mail_log where client_id = ${id} and (kind is null or kind not like 'staff-%' and kind not in ('follower-ticket', 'side-conversation'))`,
  attachments: id => sql`
    select id, ticket_id, message_id, file_name, file_type, file_size, sha256, scan_state, ${fileInArchive} as file, created_at
    from ticket_attachments where ${ofClient(id)}`,
  events: id => sql`
    select id, ticket_id, kind, before, after, ip_address, request_id, created_at
    from events where (${ofClient(id)} or (ticket_id is null and client_id = ${id})) and actor_type = 'client' and actor_id = ${id}`,
  outbox_messages: id => sql`
    select id, channel, kind, recipient, state, attempts, created_at, settled_at from outbox_messages where ${messagesTo(id)}`,
  // What was done to and by the account, without which staff did it or why.
  history: id => sql`
    select id, action, actor_type, created_at from audit_log
    where (target_type = 'client' and target_id = ${id}) or (actor_type = 'client' and actor_id = ${id})`
}

/** The rows in the order of their ids, by a cursor of the caller's transaction: to look for each batch anew takes a minute for ten thousand tickets. */
async function* batchesOf(db: Db, part: RawBuilder<Row>): AsyncGenerator<Row[]> {
  await sql`declare part no scroll cursor for select * from (${part}) as part order by id`.execute(db)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(batchSize)} from part`.execute(db)
    yield rows
    if (rows.length < batchSize) break
  }
  await sql`close part`.execute(db)
}

/** Times and booleans as in the API. */
function asJson(row: Row): string {
  const shown = Object.entries(row).map(([name, value]) => {
    if (value instanceof Date) return [name, timestamp(value)]
    return [name, typeof value === 'boolean' ? bit(value) : value]
  })
  return JSON.stringify(Object.fromEntries(shown))
}

/** Addresses without the signed keys of reply addresses, as `withoutKey` shows one. */
function withoutKeys(column: string) {
  return sql`regexp_replace(${sql.raw(column)}, '\\+[a-z]\\d{1,16}-[0-9a-f]{20}(\\\\?"?@)', '\\1', 'gi')`
}
