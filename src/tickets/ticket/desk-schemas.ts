import { Type } from 'typebox'
import { ActorToken } from '../../core/audit/actor-token.ts'
import { authenticationReasons } from '../../core/tables/mails.ts'
import type { SnoozeKind } from '../../core/tables/snoozes.ts'
import { Flag, Id, IsoTime, maxId, Nullable, OneOf, OutputText, Text, Timestamp } from '../../kit/schemas.ts'
import { deliveryReasons } from '../../platform/mail-reading/bounce-reasons.ts'
import { RecipientsView } from '../followers/recipients.ts'
import { AttachmentView, FormattedText, MessageView, TicketNumber } from './schemas.ts'

/** A tag by id or name. A text of digits is taken as a name if a tag has that name. */
export type TagRef = number | string
export const TagRefs = Type.Array(
  Type.Unsafe<TagRef>({
    type: ['integer', 'string'],
    minimum: 1,
    maximum: maxId,
    minLength: 1,
    maxLength: 50,
    'x-trim': true
  }),
  { maxItems: 50, examples: [['urgent', 7]] }
)

/** The name of a tag in a filter. */
export const TagName = Text(50, 'urgent')

export const StaffPerson = Type.Object({ id: Id(), first_name: OutputText('Grace'), last_name: OutputText('Hopper') })

const snoozeKinds = ['own', 'third_party', 'customer'] as const satisfies readonly SnoozeKind[]

/** For whom a snoozed ticket waits: the desk itself, a third party, or its client. */
export const SnoozeKinds = OneOf<SnoozeKind>(snoozeKinds, 'third_party')

/** Until when a ticket is snoozed, and why. Clients never see it. */
export const Snooze = Type.Object({
  // Null: until the client writes.
  until: Nullable(IsoTime()),
  until_reply: Flag(0),
  kind: SnoozeKinds,
  reason: OutputText('Waiting for the part'),
  // Null if they have been deleted, or the desk did it by itself.
  by: Nullable(StaffPerson)
})

const MailPerson = Type.Object({ name: OutputText('Ada Lovelace'), email: OutputText('ada@example.com') })

const AuthenticationCheck = Nullable(
  Type.Object({
    result: OutputText('pass'),
    // The domain that the check is about.
    domain: Nullable(OutputText('example.com')),
    reason: Nullable(OutputText('p=reject'))
  })
)

/** The result of authenticating the sender of an e-mail. */
export const MailAuthentication = Type.Object({
  // none: nothing confirms or denies the sender; unknown: it could not be checked.
  verdict: OneOf(['pass', 'fail', 'none', 'unknown']),
  // The check that decided, or why none did.
  reason: OneOf(authenticationReasons),
  // The mail server whose result was trusted; "deskline" if it did the checks itself.
  checked_by: Nullable(OutputText('mx.example.com')),
  spf: AuthenticationCheck,
  dkim: AuthenticationCheck,
  dmarc: AuthenticationCheck,
  arc: AuthenticationCheck
})

/** What staff see of the e-mail from which a message was made. */
export const MessageEmail = Type.Object({
  mail_id: Nullable(Id()),
  // The path of its raw message, compressed, for as long as it is kept.
  raw_path: Nullable(OutputText('/uploads/tickets/5f/5f0c9a4e8b7d6c5b4a39281706f5e4d3.gz')),
  // The path of the e-mail as it was received.
  original_path: Nullable(OutputText('/uploads/mails/1.eml')),
  from: Nullable(MailPerson),
  to: Type.Array(MailPerson),
  cc: Type.Array(MailPerson),
  subject: OutputText('The printer is on fire'),
  is_automatic: Flag(0),
  // Attachments that were not stored.
  omitted: Type.Array(
    Type.Object({ file_name: OutputText('setup.exe'), reason: OneOf(['kind', 'too_large', 'too_many']) })
  ),
  authentication: Nullable(MailAuthentication),
  // The staff member who forwarded it to the desk; `from` is the original sender.
  forwarded_by: Nullable(MailPerson),
  // A ticket that the e-mail refers to although its sender is not a participant of it.
  linked_ticket: Nullable(Type.Object({ id: Id(), ticket_number: TicketNumber }))
})

/** The delivery state of an e-mail that notified somebody of a message. */
export const DeliveryView = Type.Object({
  email: OutputText('ada@example.com'),
  state: OneOf(['queued', 'sent', 'delayed', 'delivered', 'bounced']),
  // Why it was not delivered, or is delayed.
  reason: Nullable(OutputText('mailbox full')),
  reason_code: Nullable(OneOf(deliveryReasons)),
  // 1: no further e-mails are sent to this address.
  is_stopped: Flag(0),
  // 1: staff know that it came back.
  is_dismissed: Flag(0),
  // Its row in the mail log, by which it is sent again.
  log_id: Nullable(Id(88_121)),
  at: Timestamp()
})

/** A message in a thread that may span merged tickets; it carries the id and number of its own ticket. */
export const ThreadMessage = Type.Object({
  ...MessageView.properties,
  email: Type.Optional(MessageEmail),
  // The recipients who did not get an e-mail with this message, and why.
  undelivered: Type.Optional(
    Type.Array(
      Type.Object({ email: OutputText('ada@example.com'), reason: OutputText('mailbox full'), is_permanent: Flag() })
    )
  ),
  // The deliveries of a reply, to the client and to each follower.
  deliveries: Type.Optional(Type.Array(DeliveryView)),
  // Of a reply whose recipients its writer has chosen.
  recipients: Type.Optional(RecipientsView),
  ticket_id: Id(),
  ticket_number: TicketNumber
})

export const NoteView = Type.Object({
  id: Id(),
  ticket_id: Id(),
  author: Type.Object({
    id: Nullable(Id()),
    first_name: OutputText('Grace'),
    last_name: OutputText('Hopper')
  }),
  note: OutputText('She has called before.'),
  ...FormattedText,
  created_at: Timestamp(),
  attachments: Type.Array(AttachmentView)
})

const Facts = Nullable(Type.Object({}, { additionalProperties: true, examples: [{ status: 'Open' }] }))

export const EventView = Type.Object({
  id: Id(),
  kind: OutputText('ticket.status_changed'),
  actor_type: OutputText('staff'),
  actor_id: Nullable(Id()),
  actor_name: OutputText('Grace Hopper'),
  actor_token: ActorToken,
  before: Facts,
  after: Facts,
  ip_address: Nullable(OutputText('192.0.2.7')),
  // What made it happen; null for what somebody did by hand. The name is that of the time.
  cause: Nullable(
    Type.Object({
      kind: OneOf(['macro', 'rule'] as const),
      id: Id(),
      name: Nullable(OutputText('Send to Billing')),
      event_id: { ...Nullable(Id(88_120)), description: 'Of a rule: the event that set it off, as its run names it.' },
      run_id: { ...Nullable(Id(12)), description: 'Of a rule: its run.' }
    })
  ),
  created_at: Timestamp()
})
