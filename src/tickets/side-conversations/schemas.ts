import { Type } from 'typebox'
import { failure } from '../../kit/errors.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { DeliveryView, StaffPerson } from '../ticket/desk-schemas.ts'
import { AttachmentView, FormattedText, TicketNumber } from '../ticket/schemas.ts'

export const ConversationNotFound = failure(404, 'conversation_not_found', 'There is no such side conversation')

/** A third party; `new`: wrote without having been asked. */
export const Participant = Type.Object({
  email: OutputText('service@sungrid.example'),
  name: OutputText('Sungrid Service'),
  role: OneOf(['to', 'cc', 'new'])
})

export const LastMessage = Type.Object({
  id: Id(31),
  sender_type: OneOf(['staff', 'partner']),
  name: OutputText('Sungrid Service'),
  snippet: OutputText('Yes, it may be installed while the relay clicks.'),
  created_at: Timestamp()
})

/** A side conversation in the list: with the beginning of its last message. */
export const ConversationView = Type.Object({
  id: Id(7),
  ticket_id: Id(),
  ticket_number: TicketNumber,
  subject: OutputText('Error E-042 after the update'),
  waits: Flag(),
  is_closed: Flag(0),
  is_answered: Flag(),
  started_by: Nullable(StaffPerson),
  participants: Type.Array(Participant),
  message_count: Type.Integer({ minimum: 0, examples: [2] }),
  last_message: Nullable(LastMessage),
  created_at: Timestamp()
})

/** A message of the ticket as it was sent along. */
export const Forwarded = Type.Object({
  message_id: Id(12),
  by: OutputText('Client'),
  text: OutputText('It shows E-042.'),
  at: OutputText('2026-11-20T08:28:31Z')
})

/** A message of a side conversation. No endpoint of clients has this shape. */
export const SideMessageView = Type.Object({
  id: Id(31),
  sender_type: OneOf(['staff', 'partner']),
  staff_id: Nullable(Id()),
  name: OutputText('Sungrid Service'),
  email: Nullable(OutputText('service@sungrid.example')),
  message: OutputText('Yes, it may be installed.'),
  ...FormattedText,
  quoted: OutputText('> Is it safe?'),
  is_automatic: Flag(0),
  // 1: the third party sent it to the client too, who may know of the conversation.
  copies_client: Flag(0),
  // What of the ticket went along, as it was sent.
  forwarded: Type.Array(Forwarded),
  attachments: Type.Array(AttachmentView),
  deliveries: Type.Array(DeliveryView),
  created_at: Timestamp()
})

/** What the client or a follower wrote to the address of a side conversation: it is in the thread. */
const MessageInThread = Type.Object({
  message_id: Id(12),
  name: OutputText('Ada Lovelace'),
  created_at: Timestamp()
})

export const ConversationDetail = Type.Object({
  conversation: Type.Object({
    ...ConversationView.properties,
    messages: Type.Array(SideMessageView),
    messages_in_thread: Type.Array(MessageInThread)
  })
})
