import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { AlreadySent } from '../../drafts/waiting-replies.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { SideMessageNotFound, undoOwnSideMessage } from '../send-waiting.ts'
import { WaitingSideMessageView } from '../waiting-side-messages.ts'

/**
 * Takes back a message to a third party that was sent with `undo`, until its time is over: nothing has left and nobody has seen it. One that was stopped
 * is given back in the same way, at any time. Once more it answers the same.
 */
export const undoSideMessage = endpoint({
  path: '/api/admin/tickets/conversations/undo',
  summary: 'Take back a message to a third party that waits',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, side_message_id: Id(31) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ message: WaitingSideMessageView }),
  errors: [TicketNotFound, SideMessageNotFound, AlreadySent],
  async handle({ body: { id: ref, side_message_id: id }, actor, services }) {
    return { message: 'Message taken back', data: { message: await undoOwnSideMessage(services, actor, { ref, id }) } }
  }
})
