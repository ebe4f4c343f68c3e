import { useRef } from 'react'
import { useLiveEvents } from '../../app/event-stream.ts'
import { reloadQueries } from '../../app/reload-queries.ts'

/** The shortest time between two reloads of the counts. */
const pause = 1000

/** Keeps the counts of the views up to date. */
export function useLiveCounts(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents(({ kind }) => {
    if (!/^(ticket|sla|department)\./.test(kind)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void reloadQueries('/api/admin/tickets/counts')
    }, pause)
  })
}
