import { useRef } from 'react'
import { queries } from '../../app/desk.ts'
import { useEvents } from '../../app/live.tsx'

/** On a busy desk the counts are asked for so often. */
const pause = 1000

/** Keeps the counts of the views as the desk is. */
export function useLiveCounts(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEvents(undefined, ({ kind }) => {
    if (!kind.startsWith('ticket.') && !kind.startsWith('department.')) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      queries.invalidateQueries({ queryKey: ['/api/admin/tickets/counts'] })
    }, pause)
  })
}
