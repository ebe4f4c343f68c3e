import { prepared } from '../db.ts'
import type { TicketStatus } from '../tables/tickets.ts'
import { type Change, changeTicket, type DeskServices } from '../tickets/change-ticket.ts'

/** Gives a ticket any of the five statuses. The one that it has already is no change. Throws what `changeTicket` does. */
export async function changeStatus(services: DeskServices, change: Change, status: TicketStatus) {
  return await changeTicket(services, change, async (db, ticket, now) => {
    if (ticket.status === status) return undefined
    await updateStatus(db, { id: ticket.id, status, now })
    return { action: 'ticket.status_changed', before: { status: ticket.status }, after: { status } }
  })
}

const updateStatus = prepared((db, p: { id: number; status: TicketStatus; now: Date }) =>
  db.updateTable('tickets').where('id', '=', p.id).set({ status: p.status, updated_at: p.now })
)
