import { useMemo } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { type Key, t } from '../../lib/strings.ts'
import { useParams, useSearch } from '../../router/react.tsx'
import { filteredBy, type QueueQuery, type QueueSearch, queueSearchOf } from './queue-search.ts'
import { type BuiltInView, type Counts, queryOfView, type SavedView, type ViewRef, viewRefOf } from './views.ts'

export interface Inbox {
  /** The view by its address. */
  place: string
  view: ViewRef | undefined
  saved: SavedView | undefined
  /** The number of the open ticket. */
  open: string | undefined
  search: QueueSearch
  base: QueueQuery
  /** Undefined until the query of the view is known. */
  query: QueueQuery | undefined
  title: string
  counts: Counts | undefined
}

/** The view, the filters and the open ticket of the address. */
export function useInbox(): Inbox {
  const { view: place = 'all', ticket: open } = useParams<{ view?: string; ticket?: string }>()
  const given = useSearch<Record<string, unknown>>()
  const me = useMe()
  const { data: counts } = useApiQuery('/api/admin/tickets/counts')
  const view = useMemo(() => viewRefOf(place), [place])
  const views = useApiQuery('/api/admin/views/list', undefined, { enabled: view?.kind === 'saved' })
  const saved = view?.kind === 'saved' ? views.data?.views.find(({ id }) => id === view.id) : undefined

  const asText = JSON.stringify(queueSearchOf(given))
  const search = useMemo(() => JSON.parse(asText) as QueueSearch, [asText])
  // The query is kept while the filters stay the same; otherwise the current time in it would create a new list at each render.
  const base = useMemo(() => (view ? queryOfView(view, me.id, saved) : {}), [view, me.id, saved])
  const isKnown = view !== undefined && (view.kind !== 'saved' || saved !== undefined)
  const query = useMemo(
    () => (isKnown ? filteredBy(base, search, me.id, thisMinute()) : undefined),
    [isKnown, base, search, me.id]
  )
  return { place, view, saved, open, search, base, query, title: titleOf(view, saved, counts), counts }
}

function thisMinute(): Date {
  const minute = 60_000
  return new Date(Math.floor(Date.now() / minute) * minute)
}

export const viewLabels: Record<BuiltInView, Key> = {
  mine: 'inbox.viewMine',
  unassigned: 'inbox.viewUnassigned',
  replied: 'inbox.viewReplied',
  breaching: 'inbox.viewBreaching',
  all: 'inbox.viewAll',
  waiting: 'inbox.viewWaiting',
  snoozed: 'inbox.viewSnoozed',
  closed: 'inbox.viewClosed'
}

function titleOf(view: ViewRef | undefined, saved: SavedView | undefined, counts: Counts | undefined): string {
  if (view?.kind === 'built-in') return t(viewLabels[view.name])
  if (view?.kind === 'saved') return saved?.name ?? t('inbox.savedView')
  const department = counts?.per_department.find(({ deptid }) => deptid === view?.deptid)
  return department?.name ?? t('inbox.department')
}
