import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { readTicket } from '../read-ticket.ts'

/**
 * Marks a ticket as read for the caller, up to the last message shown and, with `last_note_id`, up to that note (otherwise the newest).
 * `unread` says whether somebody else has written more since. Viewing a ticket does not mark it.
 */
export const readDeskTicket = endpoint({
  path: '/api/admin/tickets/read',
  aliases: ['/api/admin/tickets/:id/read'],
  summary: 'Mark a ticket as read',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, last_message_id: Id(12), last_note_id: Type.Optional(Id(3)) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), unread: Flag(0) }),
  errors: [TicketNotFound, TicketMerged],
  async handle({ body, actor, services }) {
    const marks = { lastMessageId: body.last_message_id, lastNoteId: body.last_note_id }
    return { message: 'Ticket read', data: await readTicket(services.db, actor, body.id, marks) }
  }
})
