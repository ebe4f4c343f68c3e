import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { SnoozedTicket, snoozeFields } from '../schemas.ts'
import { SnoozeRefused, snoozeTicket } from '../snooze-ticket.ts'

/**
 * Snoozes a ticket for everybody, in place of a former snooze: it leaves the open views until its time, or until its client writes, a note
 * mentions somebody, or it is assigned. Closing or merging ends it too. Clients never see it.
 */
export const snoozeDeskTicket = endpoint({
  path: '/api/admin/tickets/snooze',
  aliases: ['/api/admin/tickets/:id/snooze'],
  summary: 'Snooze a ticket until a time, or until its client writes',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, ...snoozeFields, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id', calendar_id: 'until_next_open' },
  data: SnoozedTicket,
  errors: [TicketNotFound, TicketMerged, VersionConflict, SnoozeRefused],
  async handle({ body, actor, caller, services }) {
    const { id: ref, expected_version: expectedVersion, ...snoozing } = body
    const ticket = await snoozeTicket(services, { actor, caller, ref, expectedVersion }, snoozing)
    const { id: ticket_id, version, snooze } = ticket
    return { message: 'Ticket snoozed', data: { ticket_id, version, snooze } }
  }
})
