import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { conversationDetail } from '../conversations-of.ts'
import { ConversationDetail, ConversationNotFound } from '../schemas.ts'

/** A side conversation with its messages, oldest first, and how the delivery of their e-mails went. */
export const showConversation = endpoint({
  path: '/api/admin/tickets/conversations/detail',
  summary: 'Show a side conversation',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: Id(7) }),
  synonyms: { conversation_id: 'id' },
  data: ConversationDetail,
  errors: [ConversationNotFound],
  async handle({ body, actor, services }) {
    return { message: 'Side conversation', data: await conversationDetail(services.db, actor, body.id) }
  }
})
