import { Type } from 'typebox'
import { type TicketPriority, ticketPriorities, ticketStatuses } from '../../core/tables/tickets.ts'
import { Id, LongText, maxId, Nullable, OneOf, OutputText, Text, Timestamp } from '../../kit/schemas.ts'

export const defaultPriority: TicketPriority = 'Medium'

/** A ticket's id, or its number in any case: customers read it out, and staff type it either way (decision 10). */
export type TicketRef = number | string

export const TicketRef = Type.Unsafe<TicketRef>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: maxId,
  pattern: '^[Tt][Ii][Cc]-[0-9]{6,18}$',
  examples: [1],
  'x-id': true,
  'x-trim': true,
  'x-invalid': 'id must be the id of a ticket or a ticket number such as TIC-482910'
})

export const Status = OneOf(ticketStatuses)
export const Priority = OneOf(ticketPriorities, defaultPriority)
export const Subject = Text(255, 'The printer is on fire')
export const Message = LongText(500_000, 'It started this morning, and now the curtains burn as well.')

export const TicketNumber = OutputText('TIC-482910')
export const Count = Type.Integer({ minimum: 0, examples: [1] })

/** An attachment as every response shows it. */
export type AttachmentView = Type.Static<typeof AttachmentView>

export const AttachmentView = Type.Object({
  id: Id(),
  file_name: OutputText('photo.jpg'),
  file_path: OutputText('/uploads/tickets/5f/5f0c9a4e8b7d6c5b4a39281706f5e4d3.jpg'),
  file_size: Type.Integer({ minimum: 0, examples: [48211] }),
  file_type: OutputText('image/jpeg')
})

/** What a formatted text has beside what was typed: its sanitised HTML. A plain text has neither. */
export const FormattedText = {
  format: Type.Optional(OneOf(['markdown'])),
  html: Type.Optional(Nullable(OutputText('<p>It started <strong>this morning</strong>.</p>')))
}

/** A message as the detail shows it: a client is called `customer` there (contract: ticket message). */
export type MessageView = Type.Static<typeof MessageView>

export const MessageView = Type.Object({
  id: Id(),
  sender_type: OneOf(['customer', 'support', 'admin']),
  first_name: OutputText('Ada'),
  last_name: OutputText('Lovelace'),
  message: OutputText('It started this morning.'),
  created_at: Timestamp(),
  attachments: Type.Array(AttachmentView),
  // The HTML of a formatted message or of an e-mail, with paths of attachments in place of inline images.
  ...FormattedText,
  // For a message that came by e-mail only: the new text, which is that of `message`; the quoted text and signature.
  text: Type.Optional(OutputText('It started this morning.')),
  quoted: Type.Optional(OutputText('> When did it start?'))
})

/** Who opened a ticket, for managers of the organisation. */
export const Opener = Type.Object({ id: Id(), first_name: OutputText('Ada'), last_name: OutputText('Lovelace') })
