import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { queryClient } from '../../app/api-client.ts'
import { apiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { useDraftedTickets } from '../../app/use-drafted-tickets.ts'
import { t } from '../../lib/strings.ts'
import { useRouter } from '../../router/react.tsx'
import { formatSearch } from '../../router/urls.ts'
import { announce } from '../../ui/announce.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNavigate } from '../navigation.ts'
import { openNewTicket } from '../overlay.ts'
import { setListedRows } from '../ticket/adjacent-tickets.ts'
import { useIsPhone, useRowHeight } from '../use-layout.ts'
import css from './inbox.module.css'
import { ListHead } from './list-head.tsx'
import { ListTitle } from './list-title.tsx'
import { NewViewButton } from './new-view-button.tsx'
import { isFiltered, type QueueQuery, type QueueSearch } from './queue-search.ts'
import type { ListedTicket } from './ticket-list.ts'
import { loadNextPage, showArrived, ticketListQuery } from './ticket-list-query.ts'
import { type RowsHandle, TicketRows } from './ticket-rows.tsx'
import { useAssignToMe } from './use-assign-to-me.ts'
import { loadBulkModule, useBulkChange } from './use-bulk-change.ts'
import type { Inbox } from './use-inbox.ts'
import { useListInteraction } from './use-list-interaction.ts'
import { useListKeys } from './use-list-keys.ts'
import { useLiveList } from './use-live-list.ts'
import { useOtherViewers } from './use-other-viewers.ts'
import { useSelection } from './use-selection.ts'

/** The bulk bar is loaded lazily, because it only appears once rows are selected. */
const loadBulkBar = async () => {
  const [{ BulkBar }] = await Promise.all([import('./bulk-bar.tsx'), loadBulkModule()])
  return { default: BulkBar }
}
const BulkBar = lazyPart(loadBulkBar)
const EmptyView = lazyPart(async () => ({ default: (await import('./empty-view.tsx')).EmptyView }))
const firstMoment = 1500

/** The scroll position and the cursor of each list in this tab. */
const places = new Map<string, { offset: number; cursor: number | undefined }>()
const noRows: readonly ListedTicket[] = []

/** A list of tickets: its head, its rows and the bulk bar. */
export function ListPane({ inbox, query }: { inbox: Inbox; query: QueueQuery }) {
  const { place, open: openNumber, search } = inbox
  const me = useMe()
  const navigate = useNavigate()
  const router = useRouter()
  const isPhone = useIsPhone()
  const isWide = openNumber === undefined && !isPhone
  const rowHeight = useRowHeight(isWide)
  const list = useQuery(ticketListQuery(query))
  const rows = list.data?.tickets ?? noRows
  const of = JSON.stringify([place, query])
  const handle = useRef<RowsHandle>(null)

  const selection = useSelection(of, rows, openNumber)
  const [isSelectMode, setIsSelectMode] = useState(false)
  const maySelect = me.can('tickets.edit_status') || me.can('tickets.delete')
  const isSelectable = maySelect && (isWide || isSelectMode || selection.ids.size > 0)
  const [cursorId, setCursorId] = useState(() => places.get(of)?.cursor)
  const interaction = useListInteraction()
  const live = useLiveList(query, interaction.isInteracting)
  const bulk = useBulkChange(selection, live.expectOwn)
  const assignToMe = useAssignToMe(bulk.run, live.expectOwn)
  const visitors = useOtherViewers()
  const drafts = useDraftedTickets(list.data && `staff:${me.id}`)

  useEffect(() => setListedRows(rows, openNumber), [rows, openNumber])
  const arrived = list.data?.arrived.length ?? 0
  useEffect(() => {
    if (arrived > 0) announce(t('inbox.newTickets', { count: arrived }), 'polite')
  }, [arrived])

  const changeSearch = useCallback(
    (change: Partial<QueueSearch>) => {
      // Typing replaces the history entry; other filters add one.
      navigate({ to: '.', search: (former: QueueSearch) => ({ ...former, ...change }), replace: 'q' in change })
    },
    [navigate]
  )
  const open = useCallback(
    (ticket: ListedTicket, how?: { replace: boolean }) => {
      setCursorId(ticket.id)
      const params = { view: place, ticket: ticket.ticket_number }
      navigate({ to: '/$view/$ticket', params, search: true, replace: how?.replace ?? false })
    },
    [navigate, place]
  )
  const close = () => navigate({ to: '/$view', params: { view: place }, search: true })

  const asked = formatSearch({ ...search })
  const hrefOf = useCallback((ticket: ListedTicket) => `/desk/${place}/${ticket.ticket_number}${asked}`, [place, asked])
  const select = selection.toggle
  const pressRow = useCallback(
    (event: MouseEvent, ticket: ListedTicket) => {
      // The browser opens new tabs and windows itself.
      if (event.ctrlKey || event.metaKey || event.altKey || event.button !== 0) return
      event.preventDefault()
      if (event.shiftKey && maySelect) select(ticket, true)
      else open(ticket)
    },
    [open, select, maySelect]
  )
  const hover = useCallback(
    (ticket: ListedTicket) => {
      queryClient.prefetchQuery(apiQuery('/api/admin/tickets/detail', { id: ticket.ticket_number }))
      router.preload({ to: '/$view/$ticket', params: { view: place, ticket: ticket.ticket_number }, search: true })
    },
    [router, place]
  )
  const moveCursor = useCallback(({ id }: ListedTicket) => setCursorId(id), [])
  const keepOffset = useCallback((offset: number) => places.set(of, { offset, cursor: places.get(of)?.cursor }), [of])
  useEffect(() => {
    places.set(of, { offset: places.get(of)?.offset ?? 0, cursor: cursorId })
  }, [of, cursorId])
  const readMore = useReadMore(query)

  // After a ticket is closed, its row has the focus.
  const wasOpen = useRef(openNumber)
  useEffect(() => {
    const closed = rows.find(row => row.ticket_number === wasOpen.current)
    if (openNumber === undefined && closed) handle.current?.focusRow(closed.id)
    wasOpen.current = openNumber
  }, [openNumber, rows])

  useFocusKept(rows, cursorId, interaction.lost, handle)
  const pressKey = useListKeys({
    rows,
    cursorId,
    openNumber,
    isSelectable: maySelect,
    mayAssign: me.can('tickets.reply') || me.can('tickets.edit_status'),
    selection,
    handle,
    open,
    close,
    assignToMe
  })
  useEffect(() => {
    if (!maySelect) return
    const timer = setTimeout(() => void loadBulkBar().catch(() => {}), firstMoment)
    return () => clearTimeout(timer)
  }, [maySelect])
  const showNew = useCallback(() => {
    showArrived(query)
    handle.current?.toTop()
  }, [query])
  const chosen = selection.ids.size === 0 ? 'none' : selection.tickets.length === rows.length ? 'all' : 'some'

  return (
    <section ref={interaction.section} className={css.list} aria-label={t('inbox.tickets')}>
      <ListHead
        title={<ListTitle inbox={inbox} query={query} />}
        total={list.data?.total}
        isWide={isWide}
        arrived={arrived}
        onShowArrived={showNew}
        base={inbox.base}
        query={query}
        search={search}
        isFixed={inbox.view?.kind !== 'saved'}
        onSearch={changeSearch}
        chosen={maySelect && rows.length > 0 ? chosen : undefined}
        onChooseAll={() => (chosen === 'none' ? selection.all() : selection.clear())}
        selectMode={maySelect && !isWide ? { isOn: isSelectMode, toggle: () => setIsSelectMode(is => !is) } : undefined}
        onNew={me.can('tickets.reply') ? () => openNewTicket() : undefined}
        saving={isFiltered(search) && <NewViewButton label={t('inbox.saveAsView')} />}
      />
      <div className={css.body} {...interaction.listeners(live.release)}>
        <QueryState query={list} failedTitle={t('inbox.notLoaded')} skeleton={<Skeleton rows={12} />}>
          {data =>
            data.tickets.length === 0 && data.cursor === null ? (
              <Suspense>
                <EmptyView inbox={inbox} onClear={() => navigate({ to: '.', search: {} })} />
              </Suspense>
            ) : (
              <TicketRows
                key={of}
                handle={handle}
                list={data}
                label={inbox.title}
                isWide={isWide}
                rowHeight={rowHeight}
                openNumber={openNumber}
                cursorId={rows.some(({ id }) => id === cursorId) ? cursorId : undefined}
                selected={selection.ids}
                isSelectable={isSelectable}
                drafts={drafts}
                presences={visitors}
                hrefOf={hrefOf}
                onOpen={pressRow}
                onSelect={select}
                onCursor={moveCursor}
                onHover={hover}
                onKeyDown={pressKey}
                onEndNear={readMore}
                onTop={() => showArrived(query)}
                initialOffset={places.get(of)?.offset ?? 0}
                onOffset={keepOffset}
              />
            )
          }
        </QueryState>
      </div>
      {selection.ids.size > 0 && (
        <Suspense>
          <BulkBar
            selected={selection.tickets}
            progress={bulk.progress}
            onChange={change => bulk.run(selection.tickets, change)}
            onClear={selection.clear}
          />
        </Suspense>
      )}
    </section>
  )
}

/** If the focused row disappears, the next one takes the focus. */
function useFocusKept(
  rows: readonly ListedTicket[],
  cursorId: number | undefined,
  lost: () => boolean,
  handle: RefObject<RowsHandle | null>
): void {
  const at = useRef(0)
  useEffect(() => {
    const now = rows.findIndex(({ id }) => id === cursorId)
    if (now >= 0) at.current = now
    const next = rows[Math.min(now >= 0 ? now : at.current, rows.length - 1)]
    if (next && lost()) handle.current?.focusRow(next.id)
  })
}

/** Loads the next page, one at a time. After a failure, the button or the next scroll tries again. */
function useReadMore(query: QueueQuery): () => void {
  const reading = useRef(false)
  return useCallback(
    function read() {
      if (reading.current) return
      reading.current = true
      loadNextPage(query)
        .catch(error =>
          toast({ text: failureText(error), tone: 'bad', action: { label: t('shared.tryAgain'), onClick: read } })
        )
        .finally(() => {
          reading.current = false
        })
    },
    [query]
  )
}
