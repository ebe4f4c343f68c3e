import type { Actor } from '../actor.ts'
import type { TicketStatus } from '../platform/db/tables.ts'
import type { Services } from '../services.ts'
import { forTicket } from './ticket-for.ts'
import type { TicketRef } from './words.ts'

/** Gives a ticket any of the five statuses, from any other (contract: Ticket status, third row). */
export async function setStatus(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  ref: TicketRef,
  status: TicketStatus
) {
  return await updateStatus(db, actor, ref, { status, now: clock.now() })
}

const updateStatus = forTicket(
  { permission: 'tickets.edit_status' },
  (tickets, p: { status: TicketStatus; now: Date }, db) =>
    db
      .updateTable('tickets')
      .where('tickets.id', 'in', tickets.select('tickets.id'))
      .set({ status: p.status, updated_at: p.now })
      .returning(['id as ticket_id', 'status'])
)
