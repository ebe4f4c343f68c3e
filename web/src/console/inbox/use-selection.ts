import { useCallback, useMemo, useRef, useState } from 'react'
import type { ListedTicket } from './ticket-list.ts'

interface Chosen {
  /** Of which list. */
  of: string
  ids: ReadonlySet<number>
  /** Where a range begins. */
  anchor: number | undefined
}

export interface Selection {
  ids: ReadonlySet<number>
  /** The selected rows of the list, as they are now. */
  tickets: readonly ListedTicket[]
  /** Selects a row or takes it out; with `isRange` all from the one before to this. */
  toggle(ticket: ListedTicket, isRange?: boolean): void
  only(ids: readonly number[]): void
  all(): void
  clear(): void
}

/** Which rows are selected. Another list begins with none. A range begins at the row that was selected last, else at the open ticket. */
export function useSelection(of: string, rows: readonly ListedTicket[], openNumber: string | undefined): Selection {
  const [kept, setChosen] = useState<Chosen>({ of, ids: new Set(), anchor: undefined })
  const chosen = kept.of === of ? kept : { of, ids: new Set<number>(), anchor: undefined }
  const { ids, anchor } = chosen
  const tickets = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))), [rows, ids])

  const choose = useCallback(
    (ids: Iterable<number>, anchor?: number) => setChosen({ of, ids: new Set(ids), anchor }),
    [of]
  )
  // One function for all times: rows that are given another are drawn again.
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
