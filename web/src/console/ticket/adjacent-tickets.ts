import type { DataOf } from '@deskline/client'
import { useSyncExternalStore } from 'react'

export type AdjacentTicket = Pick<
  DataOf<'/api/admin/tickets/list'>['tickets'][number],
  'id' | 'ticket_number' | 'subject'
>

/** The rows of the list beside the open ticket. */
let shown: readonly AdjacentTicket[] = []
/** The last position of the open ticket in the list, which it may have left since. */
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

/** The ticket to open after this one: the next in the list, or else the previous; undefined if there is no other. */
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
