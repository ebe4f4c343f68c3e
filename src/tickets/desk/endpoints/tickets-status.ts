import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { FieldsRequired } from '../../forms/required-fields.ts'
import { TicketBlocked } from '../../links/blocked-tickets.ts'
import { Status, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { setStatus } from '../set-status.ts'

/**
 * Sets the status of a ticket; clients close their tickets this way (contract: POST /api/tickets/status). Staff close a ticket that another one blocks
 * with `force` only, and none without the fields that closing needs.
 */
export const setTicketStatus = endpoint({
  path: '/api/tickets/status',
  aliases: ['/api/tickets/:id/status'],
  summary: 'Change the status of a ticket',
  access: { anyOf: ['tickets.edit_status'], orClient: true },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, status: Status, force: Type.Optional(Flag(0)) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), status: Status }),
  errors: [TicketNotFound, TicketBlocked, FieldsRequired],
  async handle({ body, actor, caller, services }) {
    const named = { actor, caller, ref: body.id }
    const ticket = await setStatus(services, named, body.status, { force: body.force === 1 })
    return { message: `Ticket status changed to ${ticket.status}`, data: ticket }
  }
})
