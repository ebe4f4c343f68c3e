import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef
} from 'react'
import { t } from '../../lib/strings.ts'
import type { ListedTicket, TicketList } from './ticket-list.ts'
import rowCss from './ticket-row.module.css'
import { TicketRow, type Viewer } from './ticket-row.tsx'
import css from './ticket-rows.module.css'
import { useVirtualRows } from './use-virtual-rows.ts'

/** The callbacks of the rows. */
export interface RowsHandle {
  /** Scrolls to the row and focuses it. */
  focusRow(id: number): void
  revealRow(id: number): void
  toTop(): void
}

interface TicketRowsProps {
  list: TicketList
  label: string
  isWide: boolean
  rowHeight: number
  openNumber: string | undefined
  cursorId: number | undefined
  selected: ReadonlySet<number>
  isSelectable: boolean
  drafts: ReadonlySet<number>
  presences: ReadonlyMap<number, readonly Viewer[]>
  hrefOf(ticket: ListedTicket): string
  onOpen(event: MouseEvent, ticket: ListedTicket): void
  onSelect(ticket: ListedTicket, isRange: boolean): void
  onCursor(ticket: ListedTicket): void
  onHover(ticket: ListedTicket): void
  onKeyDown(event: KeyboardEvent): void
  onEndNear(): void
  /** The list was scrolled back to its top. */
  onTop(): void
  /** Where the list was scrolled to when it was last left. */
  initialOffset: number
  onOffset(offset: number): void
  handle: RefObject<RowsHandle | null>
}

/** The number of skeleton rows for those that are being loaded. */
const placeholders = 3

/** The rows of a list of any length; only visible ones are rendered. */
export function TicketRows(props: TicketRowsProps) {
  const { list, rowHeight, onEndNear, onTop, onHover } = props
  const { tickets: rows, cursor } = list
  const scroller = useRef<HTMLDivElement>(null)
  const isMore = cursor !== null
  const { cursorId } = props
  const cursorAt = useMemo(() => rows.findIndex(({ id }) => id === cursorId), [rows, cursorId])
  const count = rows.length + (isMore ? placeholders : 0)
  const sight = useVirtualRows(scroller, { count, rowHeight, initialOffset: props.initialOffset, kept: cursorAt })
  const { reveal } = sight

  useEffect(() => {
    if (isMore && sight.last > rows.length - 30) onEndNear()
  }, [isMore, sight.last, rows.length, onEndNear])

  const focusSoon = useRef<number>(undefined)
  useEffect(() => {
    const id = focusSoon.current
    if (id !== undefined && focusNow(scroller.current, id)) focusSoon.current = undefined
  })
  const indexOf = (id: number) => rows.findIndex(row => row.id === id)
  useImperativeHandle(props.handle, () => ({
    focusRow(id) {
      const at = indexOf(id)
      if (at < 0) return
      reveal(at)
      if (!focusNow(scroller.current, id)) focusSoon.current = id
    },
    revealRow(id) {
      const at = indexOf(id)
      if (at >= 0) reveal(at)
    },
    toTop() {
      if (scroller.current) scroller.current.scrollTop = 0
    }
  }))

  const wasDown = useRef(false)
  function scrolled() {
    const top = scroller.current?.scrollTop ?? 0
    sight.scrolled()
    props.onOffset(top)
    if (top > rowHeight) wasDown.current = true
    else if (top <= 0 && wasDown.current) {
      wasDown.current = false
      onTop()
    }
  }

  const hovered = useHover(rows, onHover)
  // Once rendered, checkboxes stay and are only hidden, so that rows are not rendered again.
  const hasChecks = useRef(false)
  if (props.isSelectable) hasChecks.current = true
  const classes = [css.rows, props.isWide ? rowCss.wide : rowCss.split, props.isSelectable && rowCss.selectable]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and pointers of the links in it are heard here once.
    <div
      ref={scroller}
      className={css.scroller}
      onScroll={scrolled}
      onKeyDown={props.onKeyDown}
      onPointerOver={hovered}
      onFocus={hovered}
    >
      <ul
        className={classes.filter(Boolean).join(' ')}
        aria-label={props.label}
        style={{ blockSize: count * rowHeight }}
      >
        {sight.indexes.map(index => {
          const ticket = rows[index]
          return (
            <li
              key={ticket?.id ?? `more-${index - rows.length}`}
              className={css.item}
              // No custom property, because rows that inherit different values cannot share computed styles.
              style={{ transform: `translateY(${index * rowHeight}px)`, blockSize: rowHeight }}
              aria-setsize={isMore ? -1 : rows.length}
              aria-posinset={index + 1}
            >
              {ticket ? (
                <TicketRow
                  ticket={ticket}
                  href={props.hrefOf(ticket)}
                  isOpen={ticket.ticket_number === props.openNumber}
                  isSelected={props.selected.has(ticket.id)}
                  hasCheck={hasChecks.current}
                  isCursor={props.cursorId === undefined ? index === 0 : ticket.id === props.cursorId}
                  hasDraft={ticket.has_draft === 1 || props.drafts.has(ticket.id)}
                  visitors={props.presences.get(ticket.id)}
                  onOpen={props.onOpen}
                  onSelect={props.onSelect}
                  onFocus={props.onCursor}
                />
              ) : (
                <Placeholder />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Placeholder() {
  return (
    <div className={css.placeholder}>
      <span className="visually-hidden">{t('inbox.loadingMore')}</span>
      <i />
      <i />
    </div>
  )
}

function linkOf(within: Element | null, id: number): HTMLElement | null {
  return within?.querySelector<HTMLElement>(`[data-ticket="${id}"]`) ?? null
}

function focusNow(within: Element | null, id: number): boolean {
  const link = linkOf(within, id)
  link?.focus({ preventScroll: true })
  return link !== null
}

/** How long the pointer rests on a row before its ticket is preloaded. */
const rest = 60

/** Reports the row under the resting pointer or with the focus. */
function useHover(rows: readonly ListedTicket[], onHover: (ticket: ListedTicket) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (event: { target: EventTarget }) => {
      const link = (event.target as Element).closest('[data-ticket]')
      clearTimeout(timer.current)
      if (!link) return
      const ticket = rows.find(({ id }) => String(id) === link.getAttribute('data-ticket'))
      if (ticket) timer.current = setTimeout(() => onHover(ticket), rest)
    },
    [rows, onHover]
  )
}
