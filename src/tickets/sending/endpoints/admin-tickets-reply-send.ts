import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { Version } from '../../../kit/versions.ts'
import { AlreadySent, ReplyStopped } from '../../drafts/waiting-replies.ts'
import { AttachmentView, Status, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { ReplyNotFound, sendOwnReply } from '../own-replies.ts'

/** Sends a reply that waits now, without waiting for the end of its time. */
export const sendDeskReply = endpoint({
  path: '/api/admin/tickets/reply/send',
  aliases: ['/api/admin/tickets/:id/reply/send'],
  summary: 'Send a reply that waits now',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, message_id: Id(12) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    message_id: Id(12),
    ticket_id: Id(),
    status: Status,
    version: Version,
    attachments: Type.Array(AttachmentView)
  }),
  errors: [TicketNotFound, ReplyNotFound, AlreadySent, ReplyStopped],
  async handle({ body: { id: ref, message_id: messageId }, actor, services }) {
    const data = await sendOwnReply(services, actor, { ref, messageId })
    return { message: 'Reply sent', data }
  }
})
