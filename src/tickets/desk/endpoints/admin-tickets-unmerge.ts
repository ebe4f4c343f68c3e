import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { NotMerged, unmergeTicket } from '../unmerge-ticket.ts'

/** Separates a merged ticket again, with the status that it had. */
export const unmergeDeskTicket = endpoint({
  path: '/api/admin/tickets/unmerge',
  aliases: ['/api/admin/tickets/:id/unmerge'],
  summary: 'Unmerge a ticket',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket: QueueTicket, formerly_in: QueueTicket }),
  errors: [TicketNotFound, NotMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const unmerged = await unmergeTicket(services, change)
    return { message: `Ticket ${unmerged.ticket.ticket_number} stands for itself again`, data: unmerged }
  }
})
