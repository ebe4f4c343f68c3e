import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { TicketNumber, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { TicketTrashed } from '../locked-tickets.ts'
import { NotSplit, unsplitTicket, WrittenSince } from '../unsplit-ticket.ts'

/** Puts the messages of a ticket that was split off back, while nobody has written in it. The ticket is gone then; `ticket` is the former one. */
export const unsplitDeskTicket = endpoint({
  path: '/api/admin/tickets/unsplit',
  aliases: ['/api/admin/tickets/:id/unsplit'],
  summary: 'Undo a split',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id', 'ticket.id'] },
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket: QueueTicket, unsplit_id: Id(9), ticket_number: TicketNumber }),
  errors: [TicketNotFound, TicketMerged, TicketTrashed, NotSplit, WrittenSince],
  async handle({ body, actor, caller, services }) {
    const undone = await unsplitTicket(services, { actor, caller }, body.id)
    return { message: `The messages are back in ${undone.ticket.ticket_number}`, data: undone }
  }
})
