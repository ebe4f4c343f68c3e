import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { QueueTicket } from '../../ticket/queue-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { MergeRefused, mergeTickets } from '../merge-tickets.ts'

/** Merges the ticket `id` into `into_id`; the response is the target with the counts of both threads. */
export const mergeDeskTickets = endpoint({
  path: '/api/admin/tickets/merge',
  aliases: ['/api/admin/tickets/:id/merge'],
  summary: 'Merge a ticket into another one of the same client',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id', 'into_id'] },
  body: Type.Object({ id: TicketRef, into_id: TicketRef, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id', target_id: 'into_id' },
  data: Type.Object({ ticket: QueueTicket, merged_id: Id() }),
  errors: [TicketNotFound, MergeRefused, TicketMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const merged = await mergeTickets(services, change, body.into_id)
    return { message: `Merged into ${merged.ticket.ticket_number}`, data: merged }
  }
})
