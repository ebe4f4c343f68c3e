import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { restoreTicket } from '../trash.ts'

/** Restores a ticket as it was when it was deleted. */
export const restoreDeskTicket = endpoint({
  path: '/api/admin/tickets/restore',
  aliases: ['/api/admin/tickets/:id/restore'],
  summary: 'Restore a ticket from the trash',
  access: { anyOf: ['tickets.delete'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket: QueueTicket }),
  errors: [TicketNotFound, TicketMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const ticket = await restoreTicket(services, change)
    return { message: `Ticket ${ticket.ticket_number} is back`, data: { ticket } }
  }
})
