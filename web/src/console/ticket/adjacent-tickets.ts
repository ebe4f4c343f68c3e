import type { DataOf } from '@deskline/client'
import { createStore, useStore } from '../../lib/store.ts'

export type AdjacentTicket = Pick<
  DataOf<'/api/admin/tickets/list'>['tickets'][number],
  'id' | 'ticket_number' | 'subject'
>

/** The rows of the list beside the open ticket, and the last position of that ticket, which may have left the list since. */
interface Listed {
  rows: readonly AdjacentTicket[]
  open?: { ticketNumber: string; at: number }
}

const listed = createStore<Listed>({ rows: [] })

/** Called by the list with each change of its rows or of the open ticket. */
export function setListedRows(rows: readonly AdjacentTicket[], ticketNumber: string | undefined): void {
  const at = rows.findIndex(row => row.ticket_number === ticketNumber)
  const former = listed.get().open
  if (ticketNumber === undefined) listed.set({ rows })
  else listed.set({ rows, open: at < 0 && former?.ticketNumber === ticketNumber ? former : { ticketNumber, at } })
}

/** The ticket to open after this one: the next in the list, or else the previous; undefined if there is no other. */
export function nextTicketOf(current: string): AdjacentTicket | undefined {
  const { previous, next } = neighboursOf(current, listed.get())
  return next ?? previous
}

/** The tickets above and below in the list from which this one was opened. */
export function useAdjacentTickets(current: string): Neighbours {
  return neighboursOf(current, useStore(listed))
}

interface Neighbours {
  previous: AdjacentTicket | undefined
  next: AdjacentTicket | undefined
}

function neighboursOf(current: string, { rows, open }: Listed): Neighbours {
  const at = rows.findIndex(row => row.ticket_number === current)
  if (at >= 0) return { previous: rows[at - 1], next: rows[at + 1] }
  if (open?.ticketNumber !== current || open.at < 0) return { previous: undefined, next: undefined }
  return { previous: rows[open.at - 1], next: rows[open.at] }
}
