import { useSyncExternalStore } from 'react'
import type { ListedTicket } from './ticket-list.ts'

export type AdjacentTicket = Pick<ListedTicket, 'id' | 'ticket_number' | 'subject'>

/** The list beside the open ticket, as it is shown now. */
let shown: readonly AdjacentTicket[] = []
/** Where the open ticket was when it was last in the list: it may have left it since. */
let place: { ticketNumber: string; at: number } | undefined
const watchers = new Set<() => void>()

/** Called by the list with each change of its rows or of the open ticket. */
export function setListedRows(rows: readonly AdjacentTicket[], open: string | undefined): void {
  shown = rows
  const at = rows.findIndex(row => row.ticket_number === open)
  if (open === undefined) place = undefined
  else if (at >= 0 || place?.ticketNumber !== open) place = { ticketNumber: open, at }
  for (const changed of watchers) changed()
}

/** The ticket to go on with after this one: below it in its list, else above it; undefined where the list is empty otherwise. */
export function nextTicketOf(current: string): AdjacentTicket | undefined {
  return after(current) ?? before(current)
}

/** The tickets above and below in the list from which this one was opened. */
export function useAdjacentTickets(current: string): {
  previous: AdjacentTicket | undefined
  next: AdjacentTicket | undefined
} {
  const next = useSyncExternalStore(watch, () => after(current))
  const previous = useSyncExternalStore(watch, () => before(current))
  return { previous, next }
}

function watch(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

function after(current: string): AdjacentTicket | undefined {
  const at = shown.findIndex(row => row.ticket_number === current)
  if (at >= 0) return shown[at + 1]
  return place?.ticketNumber === current && place.at >= 0 ? shown[place.at] : undefined
}

function before(current: string): AdjacentTicket | undefined {
  const at = shown.findIndex(row => row.ticket_number === current)
  if (at >= 0) return shown[at - 1]
  return place?.ticketNumber === current ? shown[place.at - 1] : undefined
}
