import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { conversationDetail } from '../conversations-of.ts'
import { updateConversation } from '../reply-to-conversation.ts'
import { ConversationDetail, ConversationNotFound } from '../schemas.ts'

/** Changes whether closing and snoozing the ticket wait for the answer (`waits`), and ends the conversation (`is_closed`), which an answer opens again. */
export const changeConversation = endpoint({
  path: '/api/admin/tickets/conversations/update',
  summary: 'Change what waits for a side conversation, or end it',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['conversation.ticket_id'] },
  body: Type.Object({ id: Id(7), waits: Type.Optional(Flag(0)), is_closed: Type.Optional(Flag(1)) }),
  synonyms: { conversation_id: 'id' },
  data: ConversationDetail,
  errors: [ConversationNotFound],
  async handle({ body: { id, waits, is_closed }, actor, caller, services }) {
    const wanted = {
      waits: waits === undefined ? undefined : waits === 1,
      isClosed: is_closed === undefined ? undefined : is_closed === 1
    }
    await updateConversation(services, { actor, caller, id }, wanted)
    return { message: 'Saved', data: await conversationDetail(services.db, actor, id) }
  }
})
