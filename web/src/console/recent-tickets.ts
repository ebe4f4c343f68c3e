import type { DataOf } from '@deskline/client'

type Ticket = DataOf<'/api/admin/tickets/detail'>['ticket']
export type RecentTicket = Pick<Ticket, 'ticket_number' | 'subject' | 'status'> & { client: string }

const most = 6

/** The tickets that this person opened last in this tab, the newest first. They are forgotten with the tab: others may use the machine. */
export function recentTickets(staffId: number): RecentTicket[] {
  return JSON.parse(sessionStorage.getItem(keyOf(staffId)) ?? '[]') as RecentTicket[]
}

export function rememberTicket(staffId: number, ticket: RecentTicket): void {
  const others = recentTickets(staffId).filter(({ ticket_number }) => ticket_number !== ticket.ticket_number)
  sessionStorage.setItem(keyOf(staffId), JSON.stringify([ticket, ...others].slice(0, most)))
}

function keyOf(staffId: number): string {
  return `deskline:recent-tickets:${staffId}`
}
