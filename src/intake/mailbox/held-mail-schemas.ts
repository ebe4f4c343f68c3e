import { type Static, Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { withoutKey } from '../../mail/support-addresses/signed-address.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import { MailAuthentication, StaffPerson } from '../../tickets/ticket/desk-schemas.ts'
import { Status, TicketNumber } from '../../tickets/ticket/schemas.ts'
import type { BlockedSender } from './blocked-senders.ts'
import type { HeldMailDetail } from './held-mail-detail.ts'
import type { HeldRow } from './held-mails.ts'
import { heldFor, holdReasonNames, textOfReason } from './hold-reasons.ts'
import { originalPath } from './original-mail.ts'

const channels = ['command', 'lmtp', 'smtp', 'imap', 'api'] as const

const MailSender = Type.Object({ name: OutputText('Ada Lovelace'), email: OutputText('ada@example.com') })

const listed = {
  id: Id(),
  reason: OneOf(holdReasonNames, 'unknown_sender'),
  reason_text: OutputText('Nobody here has an account with this address, and the settings hold e-mails of such'),
  is_discarded: Flag(0),
  from: Nullable(MailSender),
  subject: OutputText('The printer'),
  channel: OneOf(channels, 'lmtp'),
  // The sender in the SMTP envelope.
  envelope_sender: Nullable(OutputText('ada@example.com')),
  envelope_recipient: Nullable(OutputText('support@example.com')),
  is_automatic: Flag(0),
  size: Type.Integer({ minimum: 0, examples: [4711] }),
  received_at: Timestamp()
}

/** A held mail as the list shows it. */
export const HeldMailView = Type.Object(listed)

export function heldMailView(mail: HeldRow): Static<typeof HeldMailView> {
  const { sender } = mail
  const why = heldFor(mail)
  return {
    id: mail.id,
    reason: why,
    reason_text: textOfReason(why),
    is_discarded: bit(mail.state === 'dropped'),
    from: sender === null ? null : { name: mail.sender_name ?? '', email: sender },
    subject: mail.subject ?? '',
    channel: mail.via,
    envelope_sender: mail.envelope_sender,
    envelope_recipient: mail.envelope_recipient && withoutKey(mail.envelope_recipient),
    is_automatic: bit(mail.is_automatic),
    size: mail.size_bytes,
    received_at: timestamp(mail.received_at)
  }
}

const MailTicket = Type.Object({
  id: Id(),
  ticket_number: TicketNumber,
  subject: OutputText('The printer is on fire'),
  status: Status
})

export const MailClient = Type.Object({
  id: Id(),
  first_name: OutputText('Ada'),
  last_name: OutputText('Lovelace'),
  email: OutputText('ada@example.com'),
  is_active: Flag(1)
})

/** All details of a held mail. */
export const HeldMailDetailView = Type.Object({
  ...listed,
  to: Type.Array(MailSender),
  cc: Type.Array(MailSender),
  // The date in its header.
  date: Nullable(Timestamp()),
  // Null if it cannot be parsed; `raw` is its beginning then.
  text: Nullable(OutputText('The printer is on fire.')),
  is_text_whole: Flag(1),
  raw: Nullable(OutputText('From: Ada Lovelace …')),
  attachments: Type.Array(
    Type.Object({
      file_name: OutputText('photo.jpg'),
      file_size: Nullable(Type.Integer({ minimum: 0, examples: [48211] }))
    })
  ),
  // The authentication of its sender; null if it was held before that existed.
  authentication: Nullable(MailAuthentication),
  // The ticket that it would have gone to, and a ticket that it only names; null for none.
  ticket: Nullable(MailTicket),
  named_ticket: Nullable(MailTicket),
  // The account with the sender's address, which by itself proves nothing.
  client: Nullable(MailClient),
  // The entries that block the sender: the address, or an @ and the domain.
  blocked_as: Type.Array(OutputText('@example.com')),
  // The path of the raw message, as it came in.
  original_path: Nullable(OutputText('/uploads/mails/1.eml')),
  outcome: OneOf(['held', 'ticket', 'reply', 'dropped'] as const),
  released_into: Nullable(Type.Object({ id: Id(), ticket_number: TicketNumber }))
})

export function heldMailDetailView(detail: HeldMailDetail): Static<typeof HeldMailDetailView> {
  const { mail, text, raw, client } = detail
  const { state, ticket_id: id, ticket_number } = mail
  const outcome = state === 'held' || state === 'ticket' || state === 'reply' ? state : 'dropped'
  const isReleased = id !== null && ticket_number !== null && (state === 'ticket' || state === 'reply')
  return {
    ...heldMailView(mail),
    from: detail.from ? person(detail.from) : null,
    subject: detail.subject,
    to: detail.to.map(recipient),
    cc: detail.cc.map(recipient),
    date: detail.date ? timestamp(detail.date) : null,
    text: text?.shown ?? null,
    is_text_whole: bit(text?.isWhole ?? false),
    raw: raw ?? null,
    attachments: detail.files,
    authentication: mail.authentication,
    ticket: detail.ticket ?? null,
    named_ticket: detail.named ?? null,
    client: client
      ? {
          id: client.id,
          first_name: client.firstName,
          last_name: client.lastName,
          email: client.email,
          is_active: bit(client.isActive)
        }
      : null,
    blocked_as: detail.blockedAs,
    original_path: mail.file_path === null ? null : originalPath(mail.id),
    outcome,
    released_into: isReleased ? { id, ticket_number } : null
  }
}

function person({ name, email }: Mailbox): Mailbox {
  return { name, email }
}

function recipient({ name, email }: Mailbox): Mailbox {
  return { name, email: withoutKey(email) }
}

export const BlockedSenderView = Type.Object({
  id: Id(),
  sender: OutputText('@example.com'),
  blocked_by: Nullable(StaffPerson),
  created_at: Timestamp()
})

export function blockedSenderView(blocked: BlockedSender): Static<typeof BlockedSenderView> {
  const { id, sender, staff_id, first_name, last_name, created_at } = blocked
  const by = staff_id === null ? null : { id: staff_id, first_name: first_name ?? '', last_name: last_name ?? '' }
  return { id, sender, blocked_by: by, created_at: timestamp(created_at) }
}
