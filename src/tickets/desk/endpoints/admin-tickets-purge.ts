import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Text } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { Count, TicketNumber, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { MergedSources, NotInTrash, OtherTicketNumber, purgeTicket } from '../purge-ticket.ts'

/**
 * Permanently deletes a ticket in the trash, and what was merged into it. The number has to be repeated as confirmation: this cannot be
 * undone.
 */
export const purgeDeskTicket = endpoint({
  path: '/api/admin/tickets/purge',
  aliases: ['/api/admin/tickets/:id/purge'],
  summary: 'Purge a ticket: delete it permanently, with its messages and files',
  access: 'admin',
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, ticket_number: Text(30, 'TIC-482910'), expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ purged_id: Id(), ticket_number: TicketNumber, merged_sources: MergedSources, files: Count }),
  errors: [TicketNotFound, OtherTicketNumber, TicketMerged, NotInTrash, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const { id, ticket_number: ticketNumber, expected_version: expectedVersion } = body
    const purged = await purgeTicket(services, actor, caller, id, { ticketNumber, expectedVersion })
    return { message: `Ticket ${purged.ticket_number} is gone`, data: purged }
  }
})
