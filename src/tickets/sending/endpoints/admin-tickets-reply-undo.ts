import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { WaitingReplyView } from '../../drafts/schemas.ts'
import { AlreadySent } from '../../drafts/waiting-replies.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { ReplyNotFound, undoOwnReply } from '../own-replies.ts'

/**
 * Takes back a reply that was sent with `undo`, until its time is over: nothing has left and nobody has seen it. One that was stopped, because the
 * client has written meanwhile, is given back in the same way, at any time. Once more it answers the same.
 */
export const undoDeskReply = endpoint({
  path: '/api/admin/tickets/reply/undo',
  aliases: ['/api/admin/tickets/:id/reply/undo'],
  summary: 'Take back a reply that waits',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, message_id: Id(12) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ reply: WaitingReplyView }),
  errors: [TicketNotFound, ReplyNotFound, AlreadySent],
  async handle({ body: { id: ref, message_id: messageId }, actor, services }) {
    return { message: 'Reply taken back', data: { reply: await undoOwnReply(services, actor, { ref, messageId }) } }
  }
})
