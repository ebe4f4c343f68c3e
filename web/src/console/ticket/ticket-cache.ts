import { queryClient } from '../../app/api-client.ts'
import { queryKeyOf } from '../../app/api-queries.ts'
import type { Detail, Ticket } from './thread-types.ts'

const listPath = '/api/admin/tickets/list'

function detailKey(number: string) {
  return queryKeyOf('/api/admin/tickets/detail', { id: number })
}

export function cachedDetail(number: string): Detail | undefined {
  return queryClient.getQueryData<Detail>(detailKey(number))
}

export function updateDetail(number: string, change: (detail: Detail) => Detail): void {
  queryClient.setQueryData<Detail>(detailKey(number), detail => detail && change(detail))
}

/** Reloads the ticket, and returns it. */
export async function reloadDetail(number: string): Promise<Detail | undefined> {
  await queryClient.invalidateQueries({ queryKey: detailKey(number) })
  return cachedDetail(number)
}

/** Updates a changed ticket wherever it is shown: in its page and in each list. */
export function showTicket(ticket: Partial<Ticket> & { ticket_number: string }): void {
  updateDetail(ticket.ticket_number, detail => ({ ...detail, ticket: { ...detail.ticket, ...ticket } }))
  updateListedTicket(ticket)
}

type Rows = { tickets: { ticket_number: string; unread?: 0 | 1 }[] }

/** Updates a ticket in every list without moving its row. */
export function updateListedTicket(
  changed: Partial<Ticket> & { ticket_number: string; unread?: 0 | 1; woken_at?: string | null }
): void {
  const changeRows = <R extends Rows>(rows: R): R => ({
    ...rows,
    tickets: rows.tickets.map(row => (row.ticket_number === changed.ticket_number ? { ...row, ...changed } : row))
  })
  queryClient.setQueriesData<Rows | { pages: Rows[] }>({ queryKey: [listPath] }, kept => {
    if (!kept) return kept
    if ('pages' in kept) return { ...kept, pages: kept.pages.map(changeRows) }
    return 'tickets' in kept ? changeRows(kept) : kept
  })
}
