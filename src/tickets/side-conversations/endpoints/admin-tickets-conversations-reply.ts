import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format } from '../../../core/formatted-text/format.ts'
import { FileTooLarge, TooManyFiles } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { Message } from '../../ticket/schemas.ts'
import { conversationDetail } from '../conversations-of.ts'
import { replyToConversation } from '../reply-to-conversation.ts'
import { ConversationDetail, ConversationNotFound } from '../schemas.ts'

/** Writes to the third party of a side conversation; the ticket's client never sees it. One that was closed is open again. */
export const replyInConversation = endpoint({
  path: '/api/admin/tickets/conversations/reply',
  summary: 'Write to the third party of a side conversation',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['conversation.ticket_id'] },
  body: Type.Object({ id: Id(7), message: Message, format: Format }),
  synonyms: { conversation_id: 'id' },
  files: true,
  status: 201,
  data: ConversationDetail,
  errors: [ConversationNotFound, FileRefused, FileTooLarge, TooManyFiles],
  async handle({ body, files, actor, caller, services }) {
    const { id, message, format } = body
    await replyToConversation(services, { actor, caller, id }, { message, format, uploads: files })
    return { message: 'Sent', data: await conversationDetail(services.db, actor, id) }
  }
})
