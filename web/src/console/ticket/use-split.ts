import { useCallback, useMemo, useRef, useState } from 'react'
import type { Detail } from './thread-types.ts'
import type { TimelineData } from './timeline.ts'

/** A message or a note that can be split off. */
export interface SplitEntry {
  type: 'message' | 'note'
  id: number
}

/** What is chosen to become a ticket of its own. */
export interface Choosing {
  /** What it is for: a ticket of its own, or a side conversation. */
  kind: 'split' | 'forward'
  messages: ReadonlySet<number>
  notes: ReadonlySet<number>
  /** The first message of the ticket, which stays. */
  first: number | undefined
  toggle(entry: SplitEntry, isRange: boolean): void
}

/** Choosing messages and notes to split off. While there is none, `choosing` is undefined. */
export function useSplit({ ticket }: Detail, thread: TimelineData) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const last = useRef<string>(undefined)

  // Those of a ticket that was merged into this one stay with it.
  const own = useMemo(() => {
    const messages = thread.messages.filter(message => message.ticket_id === ticket.id).map(({ id }) => id)
    const first = thread.hasEarlier ? undefined : Math.min(...messages)
    const entries = [
      ...thread.messages.map(message => ({ ...message, type: 'message' as const })),
      ...thread.notes.map(note => ({ ...note, type: 'note' as const }))
    ]
      .filter(entry => entry.ticket_id === ticket.id && !(entry.type === 'message' && entry.id === first))
      .sort((one, other) => one.created_at.localeCompare(other.created_at) || one.id - other.id)
    return { first, keys: entries.map(keyOf), canSplit: messages.length > 1 }
  }, [thread.messages, thread.notes, thread.hasEarlier, ticket.id])

  const toggle = useCallback(
    (entry: SplitEntry, isRange: boolean) => {
      const key = keyOf(entry)
      const from = own.keys.indexOf(last.current ?? key)
      const to = own.keys.indexOf(key)
      last.current = key
      setChosen(chosen => {
        const now = new Set(chosen)
        const range = isRange && from >= 0 ? own.keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key]
        const isAdding = !now.has(key)
        // Notes are chosen one by one.
        for (const each of range.filter(each => each === key || each.startsWith('message')))
          if (isAdding) now.add(each)
          else now.delete(each)
        return now
      })
    },
    [own]
  )
  const start = useCallback((message?: number) => {
    const key = message === undefined ? undefined : keyOf({ type: 'message', id: message })
    last.current = key
    setChosen(new Set(key ? [key] : []))
  }, [])

  const choosing = useMemo<Choosing | undefined>(() => {
    if (!chosen) return undefined
    const there = own.keys.filter(key => chosen.has(key))
    return { kind: 'split', messages: idsOf(there, 'message'), notes: idsOf(there, 'note'), first: own.first, toggle }
  }, [chosen, own, toggle])
  return {
    choosing,
    canSplit: own.canSplit,
    first: own.first,
    start,
    stop: useCallback(() => setChosen(undefined), [])
  }
}

function keyOf({ type, id }: SplitEntry): string {
  return `${type} ${id}`
}

function idsOf(keys: string[], type: SplitEntry['type']): ReadonlySet<number> {
  return new Set(keys.filter(key => key.startsWith(type)).map(key => Number(key.split(' ')[1])))
}
