import type { DeskEvent } from '@deskline/client'
import { queryOptions } from '@tanstack/react-query'
import { post, queryClient } from '../../app/api-client.ts'
import { failureOf } from '../../app/failures.ts'
import { type QueueQuery, timestampOf } from './queue-search.ts'
import {
  type ListedTicket,
  resorted,
  type TicketList,
  withArrived,
  withChanged,
  withDeparted,
  withPage,
  withReloadedTop
} from './ticket-list.ts'

const listPath = '/api/admin/tickets/list'
/** The page sizes: of the first page, which somebody waits for, and of the pages that are loaded while scrolling. */
const firstPage = 50
const laterPages = 100
/** Up to this many changed tickets are read one by one; if there are more, the list is reloaded. */
const maxSingleReads = 6
/** The most rows that are reloaded. */
const maxReloadedRows = 300

/** The query of a ticket list, as far as it is loaded, with the changes since. A refetch reloads the same number of rows. */
export function ticketListQuery(query: QueueQuery) {
  return queryOptions({
    queryKey: [listPath, query, 'inbox'] as const,
    queryFn: ({ signal }) => readList(query, loadedOf(query), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 15 * 60_000,
    // Otherwise each new page would compare all loaded rows value by value.
    structuralSharing: false
  })
}

function change(query: QueueQuery, to: (list: TicketList) => TicketList): void {
  queryClient.setQueryData<TicketList>(ticketListQuery(query).queryKey, list => list && to(list))
}

/** Loads the next page. */
export async function loadNextPage(query: QueueQuery): Promise<void> {
  const list = queryClient.getQueryData(ticketListQuery(query).queryKey)
  if (!list?.cursor) return
  const { cursor } = list
  const data = await post(listPath, { ...query, cursor, limit: laterPages })
  // If the list was reloaded meanwhile, it continues at another cursor.
  change(query, now => (now.cursor === cursor ? withPage(now, data) : now))
}

/** Reloads the top of a list, as far as it was loaded, up to `maxReloadedRows`. */
export async function reloadTop(query: QueueQuery): Promise<void> {
  const top = await readList(query, loadedOf(query))
  change(query, list => shown(withReloadedTop(list, top, query), query))
}

function loadedOf(query: QueueQuery): number {
  return Math.min(queryClient.getQueryData(ticketListQuery(query).queryKey)?.tickets.length ?? 0, maxReloadedRows)
}

async function readList(query: QueueQuery, rows: number, signal?: AbortSignal): Promise<TicketList> {
  let list: TicketList = { tickets: [], cursor: null, total: 0, arrived: [], departed: new Set() }
  do {
    const place = list.cursor === null ? { limit: firstPage } : { cursor: list.cursor, limit: laterPages }
    const data = await post(listPath, { ...query, ...place }, { ...(signal && { signal }) })
    list = withPage(list, data)
  } while (list.tickets.length < rows && list.cursor !== null)
  return list
}

export function resortList(query: QueueQuery): void {
  change(query, list => resorted(list, query))
}

export function showArrived(query: QueueQuery): void {
  change(query, list => withArrived(list, query))
}

/** Changes tickets optimistically in every list that has them. Returns a function that reverts the change. */
export function updateListedTickets(ids: readonly number[], to: (ticket: ListedTicket) => ListedTicket): () => void {
  const former = new Map<number, ListedTicket>()
  const changed = (list: TicketList | undefined, by: (ticket: ListedTicket) => ListedTicket) => {
    if (!list?.tickets.some(({ id }) => ids.includes(id))) return list
    return { ...list, tickets: list.tickets.map(row => (ids.includes(row.id) ? by(row) : row)) }
  }
  const inLists = (by: (ticket: ListedTicket) => ListedTicket) =>
    queryClient.setQueriesData<TicketList>(
      { queryKey: [listPath], predicate: ({ queryKey }) => queryKey[2] === 'inbox' },
      list => changed(list, by)
    )
  inLists(ticket => {
    former.set(ticket.id, ticket)
    return to(ticket)
  })
  return () => inLists(ticket => former.get(ticket.id) ?? ticket)
}

/** Kinds of events that do not change `updated_at`, by which changed tickets are queried. */
const isSilent = ({ kind }: DeskEvent) => /tagged|noted|watched|follower|delivery/.test(kind)

/** Kinds of events that move tickets in or out of a list without a change of the ticket itself. */
const untold = new Set(['ticket.restored', 'ticket.snoozed', 'ticket.woken'])

/** Applies events to a list: changed rows are updated in place, new tickets wait to be shown, and those that left the view are marked. */
export async function applyEvents(query: QueueQuery, events: readonly DeskEvent[]): Promise<void> {
  const before = queryClient.getQueryData(ticketListQuery(query).queryKey)
  if (!before) return
  const dependsOnSilent = query.tag !== undefined || query.tag_id !== undefined || query.watched !== undefined
  const isUntold = (event: DeskEvent) => untold.has(event.kind) || (dependsOnSilent && isSilent(event))
  if (events.some(isUntold)) return await reloadTop(query)

  const { tickets, isComplete, total, since } = await changedSince(query, events)
  const found = new Set(tickets.map(({ id }) => id))
  const touched = new Set(events.map(({ ticket_id }) => ticket_id))
  const missing = before.tickets.filter(({ id }) => touched.has(id) && !found.has(id))
  if (!isComplete || missing.length > maxSingleReads) return await reloadTop(query)

  const read = await Promise.all(missing.map(readTicket))
  const moved = new Set(events.filter(event => !isSilent(event)).map(({ ticket_id }) => ticket_id))
  // The event of a slow write can come later than its change of the ticket, which is then older than the queried time.
  const isEarlier = (ticket: ListedTicket | undefined) =>
    ticket && moved.has(ticket.id) && Date.parse(ticket.updated_at_iso) < since
  if (read.some(isEarlier)) return await reloadTop(query)
  const noted = new Set(events.filter(({ kind }) => kind === 'ticket.noted').map(({ ticket_id }) => ticket_id))
  const alone = read.flatMap(ticket =>
    ticket ? [noted.has(ticket.id) ? { ...ticket, unread: 1 as const } : ticket] : []
  )
  const gone = missing.filter(({ id }, at) => moved.has(id) || !read[at]).map(({ id }) => id)
  change(query, list =>
    shown({ ...withDeparted(withChanged(list, [...tickets, ...alone], query), gone), total }, query)
  )
}

/** In an empty list nothing can move, so new tickets are shown at once. */
function shown(list: TicketList, query: QueueQuery): TicketList {
  return list.tickets.length === 0 ? withArrived(list, query) : list
}

/** The tickets of the list that have changed since these events, and the current total. */
async function changedSince(query: QueueQuery, events: readonly DeskEvent[]) {
  const since = Math.min(...events.map(({ at }) => Date.parse(`${at.replace(' ', 'T')}Z`))) - 2000
  const stamp = timestampOf(new Date(since))
  const from = query.updated_from && query.updated_from > stamp ? query.updated_from : stamp
  const body = { ...query, sort: 'updated', direction: 'desc', updated_from: from, limit: laterPages } as const
  const [changed, all] = await Promise.all([post(listPath, body), post(listPath, { ...query, limit: 1 })])
  return {
    tickets: changed.tickets,
    isComplete: changed.next_cursor === null,
    total: all.total,
    since
  }
}

/** Reads one ticket that is not among the changed rows of the list; undefined if it no longer exists for this person. */
async function readTicket(row: ListedTicket): Promise<ListedTicket | undefined> {
  try {
    const data = await post('/api/admin/tickets/detail', { id: row.id })
    return { ...row, ...data.ticket }
  } catch (error) {
    const status = failureOf(error)?.status
    if (status === 403 || status === 404) return undefined
    throw error
  }
}
