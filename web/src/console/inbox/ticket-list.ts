import type { DataOf } from '@deskline/client'
import type { QueueQuery } from './queue-search.ts'

export type ListedTicket = DataOf<'/api/admin/tickets/list'>['tickets'][number]

/** A list as far as it is loaded from the top, with the changes since. */
export interface TicketList {
  tickets: readonly ListedTicket[]
  /** The cursor of the next page; null at the end. */
  cursor: string | null
  total: number
  /** New tickets that are not shown yet. */
  arrived: readonly ListedTicket[]
  /** The ids of tickets that no longer belong to the list. Their rows stay while the pointer or the focus is in the list. */
  departed: ReadonlySet<number>
}

type Order = Pick<QueueQuery, 'sort' | 'direction'>

/** Adds a page. A ticket that has moved there from an earlier page is not shown twice. */
export function withPage(list: TicketList, page: DataOf<'/api/admin/tickets/list'>): TicketList {
  const known = new Set(list.tickets.map(({ id }) => id))
  const more = page.tickets.filter(({ id }) => !known.has(id))
  const arrived = list.arrived.filter(({ id }) => !more.some(ticket => ticket.id === id))
  return { ...list, tickets: [...list.tickets, ...more], cursor: page.next_cursor, total: page.total, arrived }
}

/** Updates these rows in place. Tickets that were not in the list wait to be shown. */
export function withChanged(list: TicketList, changed: readonly ListedTicket[], order: Order): TicketList {
  const byId = new Map(changed.map(ticket => [ticket.id, ticket]))
  const known = new Set(list.tickets.map(({ id }) => id))
  const tickets = list.tickets.map(ticket => byId.get(ticket.id) ?? ticket)
  const last = tickets.at(-1)
  const fits = (ticket: ListedTicket) => !last || list.cursor === null || inOrder(order)(ticket, last) < 0
  const arrivals = changed.filter(ticket => !known.has(ticket.id) && fits(ticket))
  const arrived = [...arrivals, ...list.arrived.filter(({ id }) => !byId.has(id))]
  const departed = new Set([...list.departed].filter(id => !byId.has(id)))
  return { ...list, tickets, arrived, departed }
}

/** Marks tickets that no longer belong to the list. */
export function withDeparted(list: TicketList, ids: readonly number[]): TicketList {
  const arrived = list.arrived.filter(({ id }) => !ids.includes(id))
  return { ...list, arrived, departed: new Set([...list.departed, ...ids]) }
}

/** Applies a reloaded top of the list. As with single changes, no row moves. */
export function withReloadedTop(list: TicketList, top: TicketList, order: Order): TicketList {
  const there = new Set(top.tickets.map(({ id }) => id))
  const last = top.tickets.at(-1)
  const isInTop = (ticket: ListedTicket) => top.cursor === null || (last && inOrder(order)(ticket, last) <= 0)
  const gone = list.tickets.filter(ticket => !there.has(ticket.id) && isInTop(ticket)).map(({ id }) => id)
  return { ...withDeparted(withChanged(list, top.tickets, order), gone), total: top.total }
}

/** Removes the tickets that have left the list, and sorts the others. */
export function resorted(list: TicketList, order: Order): TicketList {
  const { departed } = list
  const tickets = list.tickets.filter(({ id }) => !departed.has(id)).sort(inOrder(order))
  if (departed.size === 0 && tickets.every((ticket, at) => ticket === list.tickets[at])) return list
  return { ...list, tickets, departed: new Set() }
}

/** Adds the new tickets. */
export function withArrived(list: TicketList, order: Order): TicketList {
  return resorted({ ...list, tickets: [...list.arrived, ...list.tickets], arrived: [] }, order)
}

/** Tickets for which nothing runs come last, in the order of the API. */
function dueOf({ sla }: ListedTicket): number {
  return sla?.due_at ? Date.parse(sla.due_at) : Number.MAX_SAFE_INTEGER
}

const ranks = { Low: 1, Medium: 2, High: 3, Critical: 4 }

/** Sorts like the API: equal priorities by id. Tickets of the same second keep their order, because the API sorts by microseconds. */
function inOrder({ sort = 'updated', direction = 'desc' }: Order) {
  const turn = direction === 'desc' ? -1 : 1
  return (one: ListedTicket, other: ListedTicket) => {
    if (sort === 'priority') return turn * (ranks[one.priority] - ranks[other.priority] || one.id - other.id)
    if (sort === 'sla_due') return dueOf(one) - dueOf(other)
    return turn * (momentOf(one, sort) - momentOf(other, sort))
  }
}

const endless = Date.parse('9999-01-01')

function momentOf({ created_at_iso, updated_at_iso, woken_at, snooze }: ListedTicket, sort: Order['sort']): number {
  if (sort === 'created') return Date.parse(created_at_iso)
  if (sort === 'snoozed_until') return snooze ? (snooze.until === null ? endless : Date.parse(snooze.until)) : 0
  return Math.max(Date.parse(updated_at_iso), woken_at === null ? 0 : Date.parse(woken_at))
}
