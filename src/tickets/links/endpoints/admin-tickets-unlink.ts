import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OneOf } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { LinkNotFound, linkKinds, unlinkTickets } from '../link-tickets.ts'
import { linkFields } from '../linked-tickets.ts'
import { TicketTrashed } from '../locked-tickets.ts'

/** Takes a link of this kind between two tickets away, whichever of them it comes from. */
export const unlinkDeskTickets = endpoint({
  path: '/api/admin/tickets/unlink',
  aliases: ['/api/admin/tickets/:id/unlink'],
  summary: 'Take a link between two tickets away',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id', 'other_id'] },
  body: Type.Object({ id: TicketRef, other_id: TicketRef, kind: OneOf(linkKinds) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), other_id: Id(9), ...linkFields }),
  errors: [TicketNotFound, TicketMerged, TicketTrashed, LinkNotFound],
  async handle({ body: { id: ref, other_id: other, kind }, actor, caller, services }) {
    return { message: 'Link taken away', data: await unlinkTickets(services, { actor, caller, ref, other }, kind) }
  }
})
