import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { Status, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { setStatus } from '../set-status.ts'

/** Sets the status of a ticket; clients close their tickets this way (contract: POST /api/tickets/status). */
export const setTicketStatus = endpoint({
  path: '/api/tickets/status',
  aliases: ['/api/tickets/:id/status'],
  summary: 'Change the status of a ticket',
  access: { anyOf: ['tickets.edit_status'], orClient: true },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, status: Status }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), status: Status }),
  errors: [TicketNotFound],
  async handle({ body, actor, caller, services }) {
    const ticket = await setStatus(services, { actor, caller, ref: body.id }, body.status)
    return { message: `Ticket status changed to ${ticket.status}`, data: ticket }
  }
})
