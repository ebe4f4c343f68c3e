import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { bit } from '../../../lib/bit.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { watchTicket } from '../watch-ticket.ts'

/** Watchers are notified of a ticket as if it were assigned to them; `watching` 0 ends it. */
export const watchDeskTicket = endpoint({
  path: '/api/admin/tickets/watch',
  aliases: ['/api/admin/tickets/:id/watch'],
  summary: 'Watch or unwatch a ticket',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, watching: Type.Optional(Flag()), expected_version: ExpectedVersion }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), watching: Flag() }),
  errors: [TicketNotFound, TicketMerged, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const watching = body.watching !== 0
    const change = { actor, caller, ref: body.id, expectedVersion: body.expected_version }
    const { id: ticket_id } = await watchTicket(services, change, watching)
    return {
      message: watching ? 'Ticket watched' : 'Ticket no longer watched',
      data: { ticket_id, watching: bit(watching) }
    }
  }
})
