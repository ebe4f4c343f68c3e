import type { Act, ActServices } from '../acts/act.ts'
import { prepared } from '../db.ts'
import type { TicketStatus } from '../tables/tickets.ts'
import { type Change, changeTicket } from '../tickets/change-ticket.ts'
import type { LockedTicket } from '../tickets/locked-ticket.ts'

/** Gives a ticket any of the five statuses. The one that it has already is no change. Throws what `changeTicket` does. */
export async function changeStatus(services: ActServices, change: Change, status: TicketStatus) {
  return await changeTicket(services, change, async (act, ticket) => {
    return ticket.status === status ? undefined : await setStatusLocked(act, ticket, status)
  })
}

/** The same with a ticket that is locked; answers the event. */
export async function setStatusLocked({ db, now }: Act, ticket: LockedTicket, status: TicketStatus) {
  await updateStatus(db, { id: ticket.id, status, now })
  return { kind: 'ticket.status_changed' as const, before: { status: ticket.status }, after: { status } }
}

const updateStatus = prepared((db, p: { id: number; status: TicketStatus; now: Date }) =>
  db.updateTable('tickets').where('id', '=', p.id).set({ status: p.status, updated_at: p.now })
)
