import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OneOf } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { AlreadyLinked, BlocksInCircle, linkKinds, linkTickets, TooManyLinks } from '../link-tickets.ts'
import { linkFields } from '../linked-tickets.ts'
import { TicketTrashed } from '../locked-tickets.ts'

/** Links the ticket `id` to `other_id`: it is related to it, blocks it, or is its duplicate. The response has all links of `id`. */
export const linkDeskTickets = endpoint({
  path: '/api/admin/tickets/link',
  aliases: ['/api/admin/tickets/:id/link'],
  summary: 'Link a ticket to another one',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id', 'other_id'] },
  body: Type.Object({ id: TicketRef, other_id: TicketRef, kind: OneOf(linkKinds) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), other_id: Id(9), ...linkFields }),
  errors: [TicketNotFound, TicketMerged, TicketTrashed, AlreadyLinked, BlocksInCircle, TooManyLinks],
  async handle({ body: { id: ref, other_id: other, kind }, actor, caller, services }) {
    return { message: 'Tickets linked', data: await linkTickets(services, { actor, caller, ref, other }, kind) }
  }
})
