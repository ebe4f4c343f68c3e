import { useCallback, useMemo, useRef, useState } from 'react'
import type { ListedTicket } from './ticket-list.ts'

interface Chosen {
  /** The list to which the selection belongs. */
  of: string
  ids: ReadonlySet<number>
  /** The row where a range begins. */
  anchor: number | undefined
}

export interface Selection {
  ids: ReadonlySet<number>
  /** The selected rows of the list, as they are now. */
  tickets: readonly ListedTicket[]
  /** Selects or deselects a row; with `isRange` all rows from the last selected one to this. */
  toggle(ticket: ListedTicket, isRange?: boolean): void
  only(ids: readonly number[]): void
  all(): void
  clear(): void
}

/** The selected rows. Another list begins with an empty selection. A range begins at the row selected last, else at the open ticket. */
export function useSelection(of: string, rows: readonly ListedTicket[], openNumber: string | undefined): Selection {
  const [kept, setChosen] = useState<Chosen>({ of, ids: new Set(), anchor: undefined })
  const chosen = kept.of === of ? kept : { of, ids: new Set<number>(), anchor: undefined }
  const { ids, anchor } = chosen
  const tickets = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))), [rows, ids])

  const choose = useCallback(
    (ids: Iterable<number>, anchor?: number) => setChosen({ of, ids: new Set(ids), anchor }),
    [of]
  )
  // A stable function, because a new one would render all rows again.
  const now = useRef({ rows, ids, anchor, openNumber })
  now.current = { rows, ids, anchor, openNumber }
  const toggle = useCallback(
    ({ id }: ListedTicket, isRange = false) => {
      const { rows, ids, anchor, openNumber } = now.current
      const from = rows.findIndex(row => (anchor === undefined ? row.ticket_number === openNumber : row.id === anchor))
      const to = rows.findIndex(row => row.id === id)
      if (isRange && from >= 0) {
        const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
        choose([...ids, ...range.map(row => row.id)], id)
      } else if (ids.has(id))
        choose(
          [...ids].filter(other => other !== id),
          id
        )
      else choose([...ids, id], id)
    },
    [choose]
  )
  return useMemo(
    () => ({
      ids,
      tickets,
      toggle,
      only: choose,
      all: () => choose(rows.map(({ id }) => id)),
      clear: () => choose([])
    }),
    [ids, tickets, toggle, choose, rows]
  )
}
