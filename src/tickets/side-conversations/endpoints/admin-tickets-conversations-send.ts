import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { AlreadySent } from '../../drafts/waiting-replies.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { conversationDetail } from '../conversations-of.ts'
import { ConversationDetail } from '../schemas.ts'
import { SideMessageNotFound, SideMessageStopped, sendOwnSideMessage } from '../send-waiting.ts'

/** Sends a message to a third party that waits now, without waiting for the end of its time. */
export const sendSideMessageNow = endpoint({
  path: '/api/admin/tickets/conversations/send',
  summary: 'Send a message to a third party that waits now',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, side_message_id: Id(31) }),
  synonyms: { ticket_id: 'id' },
  data: ConversationDetail,
  errors: [TicketNotFound, SideMessageNotFound, AlreadySent, SideMessageStopped],
  async handle({ body: { id: ref, side_message_id: id }, actor, services }) {
    const conversation = await sendOwnSideMessage(services, actor, { ref, id })
    return { message: 'Sent', data: await conversationDetail(services.db, actor, conversation) }
  }
})
