import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound, visibleTicketQuery } from '../ticket/ticket-for.ts'
import { ticketsWith } from '../ticket/visibility.ts'
import { cannedReply } from './canned-replies.ts'
import { filled } from './placeholders.ts'

/**
 * Fills the placeholders of a canned reply for a reply of the actor to this ticket. Throws `CannedReplyNotFound`, and `TicketNotFound` for
 * a ticket that the actor does not see in the queue.
 */
export async function renderCannedReply(
  db: Db,
  actor: StaffActor,
  { id, ticket: ref }: { id: number; ticket: TicketRef }
): Promise<{ text: string; ticket_id: number }> {
  const { text } = await cannedReply(db, actor, id)
  const ticket = await factsOfTicket(db, ticketsWith(actor, 'tickets.view_all'), ref, {})
  if (!ticket) throw TicketNotFound()
  return {
    ticket_id: ticket.id,
    text: filled(text, {
      'client.first_name': ticket.first_name,
      'client.last_name': ticket.last_name,
      'client.email': ticket.email,
      'ticket.number': ticket.ticket_number,
      'ticket.subject': ticket.subject,
      'department.name': ticket.department,
      'staff.first_name': actor.firstName,
      'staff.last_name': actor.lastName
    })
  }
}

const factsOfTicket = visibleTicketQuery(tickets =>
  tickets
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .select(['tickets.id', 'tickets.ticket_number', 'tickets.subject'])
    .select(['clients.first_name', 'clients.last_name', 'clients.email', 'departments.name as department'])
)
