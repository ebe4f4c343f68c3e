import { Type } from 'typebox'
import { Flag, Id, maxId, Nullable, OneOf, Shown, Text, Timestamp } from '../kit/schemas.ts'
import { Version } from '../kit/versions.ts'
import { deliveryReasons } from '../platform/mail-reading/bounce-reasons.ts'
import { authenticationReasons } from '../tables/mails.ts'
import { AttachmentView, Count, MessageView, Priority, Status, TicketNumber } from './schemas.ts'

/** A tag by its id or its name; a text of digits is the name if there is one like it. */
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

/** A name of a tag in a filter. */
export const TagName = Text(50, 'urgent')

const TagView = Type.Object({ id: Id(), name: Shown('urgent'), color: Shown('#c0392b') })

export const StaffPerson = Type.Object({ id: Id(), first_name: Shown('Grace'), last_name: Shown('Hopper') })

/** A ticket as the queue shows it, and as every change of one answers it. */
export const QueueTicket = Type.Object({
  id: Id(),
  ticket_number: TicketNumber,
  subject: Shown('The printer is on fire'),
  status: Status,
  priority: Priority,
  department: Type.Object({ id: Id(), deptid: Id(), name: Shown('Technical Support') }),
  client: Type.Object({
    id: Id(),
    first_name: Shown('Ada'),
    last_name: Shown('Lovelace'),
    email: Shown('ada@example.com')
  }),
  assignee: Nullable(StaffPerson),
  tags: Type.Array(TagView),
  message_count: Count,
  attachment_count: Count,
  version: Version,
  merged_into_id: Nullable(Id()),
  trashed_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp()
})

const MailPerson = Type.Object({ name: Shown('Ada Lovelace'), email: Shown('ada@example.com') })

const AuthenticationCheck = Nullable(
  Type.Object({
    result: Shown('pass'),
    // Whom it is about.
    domain: Nullable(Shown('example.com')),
    reason: Nullable(Shown('p=reject'))
  })
)

/** How sure it is who wrote an e-mail. */
export const MailAuthentication = Type.Object({
  // none: nobody says that it is who it names, and nobody denies it; unknown: it could not be checked.
  verdict: OneOf(['pass', 'fail', 'none', 'unknown']),
  // The check that decided, or why none did.
  reason: OneOf(authenticationReasons),
  // The mail server whose word was taken; "deskline" where it looked itself.
  checked_by: Nullable(Shown('mx.example.com')),
  spf: AuthenticationCheck,
  dkim: AuthenticationCheck,
  dmarc: AuthenticationCheck,
  arc: AuthenticationCheck
})

/** What staff see of the e-mail that a message came by. */
export const MessageEmail = Type.Object({
  mail_id: Nullable(Id()),
  // Where its raw message is, compressed, for as long as it is kept.
  raw_path: Nullable(Shown('/uploads/tickets/5f/5f0c9a4e8b7d6c5b4a39281706f5e4d3.gz')),
  // The same as it came in.
  original_path: Nullable(Shown('/uploads/mails/1.eml')),
  from: Nullable(MailPerson),
  to: Type.Array(MailPerson),
  cc: Type.Array(MailPerson),
  subject: Shown('The printer is on fire'),
  is_automatic: Flag(0),
  // Files that were left out.
  omitted: Type.Array(Type.Object({ file_name: Shown('setup.exe'), reason: OneOf(['kind', 'too_large', 'too_many']) })),
  authentication: Nullable(MailAuthentication),
  // Who on the staff passed it on to the desk; from is who had written it.
  forwarded_by: Nullable(MailPerson),
  // A ticket that the e-mail names, though its sender is no part of it.
  linked_ticket: Nullable(Type.Object({ id: Id(), ticket_number: TicketNumber }))
})

/** What became of the e-mail that told somebody of a message. */
export const DeliveryView = Type.Object({
  email: Shown('ada@example.com'),
  state: OneOf(['queued', 'sent', 'delayed', 'delivered', 'bounced']),
  // Why it was not delivered, or not yet.
  reason: Nullable(Shown('mailbox full')),
  reason_code: Nullable(OneOf(deliveryReasons)),
  // 1: nothing more is sent to this address.
  is_stopped: Flag(0),
  at: Timestamp()
})

/** A message in a thread of several tickets: it names its own. */
export const ThreadMessage = Type.Object({
  ...MessageView.properties,
  email: Type.Optional(MessageEmail),
  // To whom an e-mail with this message was not delivered, and why.
  undelivered: Type.Optional(
    Type.Array(Type.Object({ email: Shown('ada@example.com'), reason: Shown('mailbox full'), is_permanent: Flag() }))
  ),
  // What became of the e-mails with an answer, to the client and to each follower.
  deliveries: Type.Optional(Type.Array(DeliveryView)),
  ticket_id: Id(),
  ticket_number: TicketNumber
})

export const NoteView = Type.Object({
  id: Id(),
  ticket_id: Id(),
  author: Type.Object({
    id: Nullable(Id()),
    first_name: Shown('Grace'),
    last_name: Shown('Hopper')
  }),
  note: Shown('She has called before.'),
  created_at: Timestamp(),
  attachments: Type.Array(AttachmentView)
})

const Facts = Nullable(Type.Object({}, { additionalProperties: true, examples: [{ status: 'Open' }] }))

export const EventView = Type.Object({
  id: Id(),
  kind: Shown('ticket.status_changed'),
  actor_type: Shown('staff'),
  actor_id: Nullable(Id()),
  actor_name: Shown('Grace Hopper'),
  before: Facts,
  after: Facts,
  ip_address: Nullable(Shown('192.0.2.7')),
  created_at: Timestamp()
})
