import { Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { StaffPerson } from '../ticket/desk-schemas.ts'
import { Status } from '../ticket/schemas.ts'

const Address = OutputText('anton@example.com')

/** A reply that has not gone, as its writer sees it, and nobody else. */
export const WaitingReplyView = Type.Object({
  // That the message will have.
  message_id: Id(12),
  ticket_id: Id(),
  // `stopped`: it does not go, because of `stopped_reason`. `undone`: its writer has taken it back.
  state: OneOf(['waiting', 'stopped', 'undone']),
  undo_until: Timestamp(),
  stopped_reason: Nullable(OutputText('The reply did not go, because the client has written meanwhile')),
  message: OutputText('Please pour water on it.'),
  format: OneOf(['plain', 'markdown']),
  status: Status,
  macro_id: Nullable(Id()),
  from: Nullable(OutputText('support@example.com')),
  to_client: Flag(),
  to: Type.Array(Address),
  // Null: whoever follows the ticket when it goes.
  cc: Nullable(Type.Array(Address)),
  bcc: Type.Array(Address),
  cc_once: Type.Array(Address),
  attachments: Type.Array(
    Type.Object({
      file_name: OutputText('photo.jpg'),
      file_type: OutputText('image/jpeg'),
      file_size: Type.Integer({ minimum: 0, examples: [48211] })
    })
  )
})

/** As it was typed; it may be empty where only recipients were chosen. */
export const DraftText = Type.String({ maxLength: 500_000, examples: ['Please pour water on'] })

/** A draft as its writer sees it. */
export const DraftView = Type.Object({
  version: Version,
  updated_at: Timestamp(),
  message: OutputText('Please pour water on'),
  format: OneOf(['plain', 'markdown']),
  from: Nullable(OutputText('support@example.com')),
  // Null: nothing was chosen.
  to: Nullable(Type.Array(Address)),
  cc: Nullable(Type.Array(Address)),
  bcc: Type.Array(Address),
  cc_once: Type.Array(Address)
})

/** That somebody has begun a reply; its text only where the setting `share_drafts` says so. */
export const DraftInTicket = Type.Object({
  by: StaffPerson,
  updated_at: Timestamp(),
  message: Type.Optional(OutputText('Please pour water on'))
})

/** What stands below an e-mail to the client, in the client's language: with your signature, and that of the address alone. */
export const SignatureLinesView = Type.Object({
  both: OutputText('Kind regards, Mira'),
  address: OutputText('Example Support')
})

/** An address from which a reply may leave. */
export const PossibleSenderView = Type.Object({
  address: OutputText('support@example.com'),
  name: OutputText('Example Support'),
  is_usual: Flag(1),
  // Its e-mails wait until its server works again.
  failing_since: Nullable(Type.String({ examples: ['2026-11-20T12:40:00.000Z'] })),
  signature: SignatureLinesView
})

/** Somebody who may be put in copy, and why they are offered. */
export const PossibleRecipientView = Type.Object({
  email: OutputText('anton@example.com'),
  name: OutputText('Anton Brückner'),
  from: OneOf(['ticket', 'organisation', 'partner'])
})
