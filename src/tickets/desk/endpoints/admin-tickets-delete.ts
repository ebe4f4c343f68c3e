import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketNumber, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { trashTicket } from '../trash.ts'

/** Moves a ticket to the trash, from where it can be restored. */
export const deleteDeskTicket = endpoint({
  path: '/api/admin/tickets/delete',
  aliases: ['/api/admin/tickets/:id/delete'],
  summary: 'Move a ticket to the trash',
  access: { anyOf: ['tickets.delete'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ deleted_id: Id(), ticket_number: TicketNumber }),
  errors: [TicketNotFound, TicketMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const { id: deleted_id, ticket_number } = await trashTicket(services, change)
    return { message: `Ticket ${ticket_number} is in the trash`, data: { deleted_id, ticket_number } }
  }
})
