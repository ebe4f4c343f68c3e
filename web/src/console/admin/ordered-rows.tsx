import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { adminFailureText } from '../admin-failure-text.ts'
import { orderWith } from './order-with.ts'
import styles from './ordered-rows.module.css'

interface OrderedRow {
  id: number
  name: string
}

interface OrderedRowsProps<Row extends OrderedRow> {
  label: string
  /** The names of the columns, above the rows. The rows then have no numbers. */
  head?: ReactNode
  rows: Row[]
  isOff?: (row: Row) => boolean
  /** At the end of the line. */
  aside?: (row: Row) => ReactNode
  /** What can be done with it besides moving it. */
  menu: (row: Row) => MenuItem[]
  /** Saves the order and loads it again. It is saved at once, and can be undone. */
  onReorder: (ids: number[]) => Promise<unknown>
  /** The order is a part of a form, which saves it. */
  isDraft?: boolean
  /** It stands in a card already. */
  isBare?: boolean
  children: (row: Row) => ReactNode
}

/** Definitions of which the first that fits counts. A row is moved by its handle (Space, arrows, Space; Esc returns it), by dragging, or by its menu. */
export function OrderedRows<Row extends OrderedRow>(props: OrderedRowsProps<Row>) {
  const { label, head, rows, isOff, aside, menu, onReorder, isDraft, isBare, children } = props
  /** While a row is lifted nothing else moves, whatever others change. */
  const [lifted, setLifted] = useState<{ id: number; order: number[] }>()
  const [saving, setSaving] = useState<number[]>()
  const list = useRef<HTMLOListElement>(null)
  const own = rows.map(({ id }) => id)
  const byId = new Map(rows.map(row => [row.id, row]))
  const shown = (lifted?.order ?? saving ?? own).map(id => byId.get(id)).filter(row => row !== undefined)

  // A row that is moved in the document loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each step.
  useLayoutEffect(() => {
    if (lifted) list.current?.querySelector<HTMLElement>(`[data-handle="${lifted.id}"]`)?.focus()
  }, [lifted?.id, lifted?.order])

  function tell(id: number, order: number[]) {
    const number = order.indexOf(id) + 1
    announce(t('definition.isNowNumber', { name: byId.get(id)?.name ?? '', number, total: order.length }))
  }

  async function save(order: number[], id: number) {
    setLifted(undefined)
    if (order.join() === own.join()) return
    setSaving(order)
    try {
      await onReorder(order)
      if (isDraft) return tell(id, order)
      const number = order.indexOf(id) + 1
      toast({
        text: t('definition.isNowNumber', { name: byId.get(id)?.name ?? '', number, total: order.length }),
        undo: () => void onReorder(own).catch(failed)
      })
    } catch (error) {
      failed(error)
    } finally {
      setSaving(undefined)
    }
  }

  function move(id: number, to: number) {
    const order = lifted?.order ?? own
    const next = orderWith(order, id, to)
    setLifted({ id, order: next })
    if (next.join() !== order.join()) tell(id, next)
  }

  function press(event: KeyboardEvent, { id, name }: Row) {
    const order = lifted?.order ?? own
    const at = order.indexOf(id)
    if (!lifted) {
      if (event.key !== ' ' && event.key !== 'Enter') return
      setLifted({ id, order })
      announce(t('definition.isLifted', { name }))
    } else if (event.key === 'ArrowUp') move(id, at - 1)
    else if (event.key === 'ArrowDown') move(id, at + 1)
    else if (event.key === 'Home') move(id, 0)
    else if (event.key === 'End') move(id, order.length - 1)
    else if (event.key === ' ' || event.key === 'Enter') void save(order, id)
    else if (event.key === 'Escape') {
      setLifted(undefined)
      tell(id, own)
    } else if (event.key === 'Tab') return void save(order, id)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** The window is listened to: the handle is moved in the document, and would lose the pointer. */
  function drag(event: PointerEvent, { id }: Row) {
    if (event.button !== 0) return
    let order = own
    const listening = new AbortController()
    const { signal } = listening
    setLifted({ id, order })
    const follow = ({ clientY }: { clientY: number }) => {
      const places = [...(list.current?.children ?? [])].map(row => row.getBoundingClientRect())
      const over = places.findIndex(({ bottom }) => clientY < bottom)
      order = orderWith(order, id, over < 0 ? order.length - 1 : over)
      setLifted({ id, order })
    }
    const end = ({ type }: Event) => {
      listening.abort()
      if (type === 'pointerup') void save(order, id)
      else setLifted(undefined)
    }
    addEventListener('pointermove', follow, { signal })
    addEventListener('pointerup', end, { signal })
    addEventListener('pointercancel', end, { signal })
  }

  return (
    <div className={isBare ? undefined : 'card'}>
      {head && (
        <div className={`${styles.row} ${styles.head}`} aria-hidden>
          {head}
        </div>
      )}
      <ol ref={list} className={styles.rows} aria-label={label} data-plain={head || isDraft ? true : undefined}>
        {shown.map((row, at) => (
          <li
            key={row.id}
            className={styles.row}
            data-off={isOff?.(row) || undefined}
            data-lifted={lifted?.id === row.id || undefined}
          >
            <button
              type="button"
              className={styles.handle}
              data-handle={row.id}
              aria-label={t('definition.moveNamed', { name: row.name })}
              aria-pressed={lifted?.id === row.id}
              onKeyDown={event => press(event, row)}
              onPointerDown={event => drag(event, row)}
            >
              <GripVertical size={16} aria-hidden />
            </button>
            <span className={styles.number}>{numberText(at + 1)}</span>
            <div className={styles.words}>{children(row)}</div>
            <span className={styles.aside}>{aside?.(row)}</span>
            <RowMenu
              label={t('admin.actionsFor', { name: row.name })}
              items={[
                ...menu(row),
                { kind: 'separator' },
                {
                  label: t('definition.moveUp'),
                  disabledReason: at === 0 ? t('definition.isFirst') : undefined,
                  onSelect: () => void save(orderWith(own, row.id, at - 1), row.id)
                },
                {
                  label: t('definition.moveDown'),
                  disabledReason: at === shown.length - 1 ? t('definition.isLast') : undefined,
                  onSelect: () => void save(orderWith(own, row.id, at + 1), row.id)
                }
              ]}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}

function failed(error: unknown): void {
  toast({ text: adminFailureText(error), tone: 'bad' })
}
