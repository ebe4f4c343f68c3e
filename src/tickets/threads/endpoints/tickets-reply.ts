import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Format, FormattedHtml } from '../../../core/formatted-text/format.ts'
import { FileTooLarge, TooManyAttempts, TooManyFiles } from '../../../kit/errors.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { FileRefused } from '../../attachments/uploads.ts'
import { AttachmentView, Message, Status, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { markPresentOnWrite } from '../presence.ts'
import { replyToTicket } from '../reply-to-ticket.ts'

/** Adds a message to a thread, even of a closed ticket (contract: POST /api/tickets/reply; decision 25). */
export const replyTicket = endpoint({
  path: '/api/tickets/reply',
  aliases: ['/api/tickets/:id/reply'],
  summary: 'Reply to a ticket',
  access: { anyOf: ['tickets.reply'], orClient: true },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, message: Message, format: Format }),
  synonyms: { ticket_id: 'id' },
  files: true,
  status: 201,
  data: Type.Object({
    message_id: Id(),
    ticket_id: Id(),
    message: OutputText('It started this morning.'),
    html: FormattedHtml,
    status: Status,
    attachments: Type.Array(AttachmentView)
  }),
  errors: [TicketNotFound, FileRefused, FileTooLarge, TooManyFiles, TooManyAttempts],
  async handle({ body, files, actor, caller, services }) {
    const { id, message, format } = body
    const data = await replyToTicket(services, actor, caller, id, { message, format, files })
    if (actor.population === 'staff') await markPresentOnWrite(services, actor, data.ticket_id)
    return { message: 'Reply added', data }
  }
})
