import type { DeskEvent } from '@deskline/client'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { queries } from '../../app/desk.ts'
import { useEvents } from '../../app/live.tsx'
import { settle, takeOver } from './list-data.ts'
import type { QueueQuery } from './queue-search.ts'

/** Events that come together are taken over together, and a busy desk is looked at so often. */
const gather = 120
const pause = 700

/**
 * Keeps the list as the desk is. While somebody points at it or has the focus in it (`isHeld`), nothing moves; afterwards it is put in
 * order.
 */
export function useLiveList(query: QueueQuery, isHeld: RefObject<boolean>): { release(): void } {
  const waiting = useRef<DeskEvent[]>([])
  const current = useRef(query)
  const isBusy = useRef(false)
  current.current = query

  const run = useCallback(async () => {
    isBusy.current = true
    await rest(gather)
    while (waiting.current.length > 0) {
      const events = waiting.current
      waiting.current = []
      const of = current.current
      // What cannot be read now is read with what happens next.
      await takeOver(of, events).catch(() => {})
      if (!isHeld.current) settle(of)
      queries.invalidateQueries({ queryKey: ['/api/admin/tickets/counts'] })
      await rest(pause)
    }
    isBusy.current = false
  }, [isHeld])

  useEvents(undefined, event => {
    if (!('ticket_id' in event) || !event.kind.startsWith('ticket.')) return
    waiting.current.push(event as DeskEvent)
    if (!isBusy.current) run()
  })

  // What waited for another list is no matter of this one.
  useEffect(() => {
    const events = waiting
    return () => {
      events.current = []
    }
  }, [])

  return { release: useCallback(() => settle(current.current), []) }
}

function rest(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
