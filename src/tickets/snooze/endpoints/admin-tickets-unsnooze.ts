import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { SnoozedTicket } from '../schemas.ts'
import { unsnoozeTicket } from '../snooze-ticket.ts'

/** Wakes a snoozed ticket; one that is not snoozed is left as it is. */
export const unsnoozeDeskTicket = endpoint({
  path: '/api/admin/tickets/unsnooze',
  aliases: ['/api/admin/tickets/:id/unsnooze'],
  summary: 'Wake a snoozed ticket',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  data: SnoozedTicket,
  errors: [TicketNotFound, TicketMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const { id: ticket_id, version, snooze } = await unsnoozeTicket(services, change)
    return { message: 'Ticket is back', data: { ticket_id, version, snooze } }
  }
})
