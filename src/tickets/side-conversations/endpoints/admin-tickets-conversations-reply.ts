import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import { FileTooLarge, TooManyFiles } from '../../../kit/errors.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { timestamp } from '../../../lib/time.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { undoSeconds } from '../../drafts/undo-window.ts'
import { Message } from '../../ticket/schemas.ts'
import { conversationDetail } from '../conversations-of.ts'
import { ThirdPartyRefused } from '../refusals.ts'
import { replyToConversation, replyToConversationLater } from '../reply-to-conversation.ts'
import { ConversationDetail, ConversationNotFound } from '../schemas.ts'
import { WaitingFields } from '../waiting-side-messages.ts'

/**
 * Writes to the third party of a side conversation; the ticket's client never sees it. One that was closed is open again. With `undo` it waits for as
 * long as the setting `undo_send_seconds` says, and can be taken back until then (`tickets/conversations/undo`).
 */
export const replyInConversation = endpoint({
  path: '/api/admin/tickets/conversations/reply',
  summary: 'Write to the third party of a side conversation',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['conversation.ticket_id'] },
  body: Type.Object({ id: Id(7), message: Message, format: Format, undo: Type.Optional(BooleanInput(1)) }),
  synonyms: { conversation_id: 'id' },
  files: true,
  status: 201,
  data: Type.Object({ ...ConversationDetail.properties, ...WaitingFields }),
  errors: [ConversationNotFound, ThirdPartyRefused, FileRefused, FileTooLarge, TooManyFiles],
  async handle({ body, files, actor, caller, services }) {
    const { id, message, format, undo } = body
    const written = { message, format, uploads: files }
    const seconds = await undoSeconds(services.db, actor, undo)
    if (seconds > 0) {
      const waiting = await replyToConversationLater(services, { actor, caller, id }, written, seconds)
      const { conversation } = await conversationDetail(services.db, actor, id)
      const { side_message_id, sends_at } = waiting
      return {
        message: 'The message waits',
        data: { conversation, side_message_id, undo_until: timestamp(sends_at) }
      }
    }
    await replyToConversation(services, { actor, caller, id }, written)
    const { conversation } = await conversationDetail(services.db, actor, id)
    return { message: 'Sent', data: { conversation, ...(undo ? { undo_until: null } : {}) } }
  }
})
