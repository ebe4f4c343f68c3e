import { type Db, prepared } from '../db.ts'
import type { TicketStatus } from '../tables/tickets.ts'
import { type Change, changeTicket, type DeskServices } from '../tickets/change-ticket.ts'
import type { LockedTicket } from '../tickets/locked-ticket.ts'

/** Gives a ticket any of the five statuses. The one that it has already is no change. Throws what `changeTicket` does. */
export async function changeStatus(services: DeskServices, change: Change, status: TicketStatus) {
  return await changeTicket(services, change, async (db, ticket, now) => {
    return ticket.status === status ? undefined : await setStatusLocked(db, ticket, status, now)
  })
}

/** The same with a ticket that is locked; answers the event. */
export async function setStatusLocked(db: Db, ticket: LockedTicket, status: TicketStatus, now: Date) {
  await updateStatus(db, { id: ticket.id, status, now })
  return { action: 'ticket.status_changed' as const, before: { status: ticket.status }, after: { status } }
}

const updateStatus = prepared((db, p: { id: number; status: TicketStatus; now: Date }) =>
  db.updateTable('tickets').where('id', '=', p.id).set({ status: p.status, updated_at: p.now })
)
