import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../../core/db.ts'
import type { Authentication, MailPerson } from '../../core/tables/mails.ts'
import { bit } from '../../lib/bit.ts'
import { withoutKey } from '../../mail/support-addresses/signed-address.ts'
import type { MessageEmail } from '../ticket/desk-schemas.ts'
import { preparedForVisible, type TicketVisibility } from '../ticket/visibility.ts'

/** What the database stores of the e-mail from which a message was made. */
export interface StoredEmail {
  mail_id: number | null
  raw_path: string | null
  from_email: string | null
  from_name: string | null
  recipients: { to: MailPerson[]; cc: MailPerson[] }
  subject: string
  quoted: string
  html: string | null
  is_automatic: boolean
  linked_ticket_id: number | null
  omitted: Static<typeof MessageEmail>['omitted']
  authentication: Authentication | null
  forwarded_by: MailPerson | null
}

/** Within a query that has joined `message_emails` as `mailed`; null for a message that did not come by e-mail. */
export const storedEmail = sql<StoredEmail | null>`case when mailed.message_id is not null then json_build_object(
  'mail_id', mailed.mail_id, 'raw_path', (select file_path from ticket_attachments as raw where raw.mail_id = mailed.mail_id), 'from_email', mailed.from_email, 'from_name', mailed.from_name, 'recipients', mailed.recipients,
  'subject', mailed.subject, 'quoted', mailed.quoted, 'html', mailed.html, 'is_automatic', mailed.is_automatic,
  'linked_ticket_id', mailed.linked_ticket_id, 'omitted', mailed.omitted, 'forwarded_by', mailed.forwarded_by,
  'authentication', (select authentication from inbound_mails as came where came.id = mailed.mail_id)) end`

/** The parts of the e-mail that everybody who sees the message gets. */
export function emailParts(message: string, { quoted, html }: StoredEmail) {
  return { text: message, quoted, html }
}

/** What only staff see of it. `linked`: the ticket that it refers to, if they see that one. */
function emailView(
  stored: StoredEmail,
  linked: Static<typeof MessageEmail>['linked_ticket']
): Static<typeof MessageEmail> {
  const { mail_id, raw_path, from_email, from_name, recipients, subject, is_automatic, omitted } = stored
  const { authentication, forwarded_by } = stored
  const from = from_email === null ? null : { name: from_name ?? '', email: from_email }
  return {
    mail_id,
    raw_path,
    original_path: mail_id !== null && raw_path !== null ? `/uploads/mails/${mail_id}.eml` : null,
    from,
    to: recipients.to.map(shown),
    cc: recipients.cc.map(shown),
    subject,
    is_automatic: bit(is_automatic),
    omitted,
    authentication,
    forwarded_by,
    linked_ticket: linked
  }
}

function shown({ name, email }: MailPerson): MailPerson {
  return { name, email: withoutKey(email) }
}

/** The e-mails of messages for staff with this visibility, by message id. */
export async function visibleEmails(
  db: Db,
  visibility: TicketVisibility,
  messages: readonly { id: number; email: StoredEmail | null }[]
): Promise<Map<number, Static<typeof MessageEmail>>> {
  const ids = messages.flatMap(({ email }) => email?.linked_ticket_id ?? [])
  const linked = ids.length > 0 ? await visibleTicketsIn(db, visibility, { ids }) : []
  return new Map(
    messages.flatMap(({ id, email }) => {
      const ticket = linked.find(each => each.id === email?.linked_ticket_id) ?? null
      return email ? [[id, emailView(email, ticket)]] : []
    })
  )
}

const visibleTicketsIn = preparedForVisible((tickets, p: { ids: readonly number[] }) =>
  tickets.where('tickets.id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['tickets.id', 'tickets.ticket_number'])
)
