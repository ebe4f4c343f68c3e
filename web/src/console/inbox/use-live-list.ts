import type { DeskEvent } from '@deskline/client'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { queryClient } from '../../app/api-client.ts'
import { useLiveEvents } from '../../app/event-stream.ts'
import type { QueueQuery } from './queue-search.ts'
import { applyEvents, reloadTop, resortList, showArrived } from './ticket-list-query.ts'

/** Who changed which ticket last, as far as this tab has heard. */
const lastChangers = new Map<number, string>()

/** Who changed all of these last, where it was one person. */
export function changerOf(ids: readonly number[]): string | undefined {
  const names = new Set(ids.map(id => lastChangers.get(id)))
  return names.size === 1 ? [...names][0] : undefined
}

/** Events that come together are taken over together, and a busy desk is looked at so often. */
const gather = 120
const pause = 700
/** So long what one has done oneself may take to be heard of. */
const ownMilliseconds = 3000

/**
 * Keeps the list as the desk is. While somebody points at it or has the focus in it (`isInteracting`), nothing moves; afterwards it is put in
 * order.
 */
export function useLiveList(query: QueueQuery, isInteracting: RefObject<boolean>) {
  const waiting = useRef<DeskEvent[]>([])
  /** The events whose changes could not be read. */
  const failed = useRef<DeskEvent[]>([])
  const current = useRef(query)
  const isBusy = useRef(false)
  const ownUntil = useRef(0)
  current.current = query

  const run = useCallback(async () => {
    isBusy.current = true
    await rest(gather)
    while (waiting.current.length > 0) {
      const events = [...failed.current, ...waiting.current]
      waiting.current = []
      failed.current = []
      const of = current.current
      // Changes that cannot be read now are read with the next events.
      await applyEvents(of, events).catch(() => {
        failed.current = events
      })
      if (Date.now() < ownUntil.current) showArrived(of)
      else if (!isInteracting.current) resortList(of)
      queryClient.invalidateQueries({ queryKey: ['/api/admin/tickets/counts'] })
      await rest(pause)
    }
    isBusy.current = false
  }, [isInteracting])

  useLiveEvents(undefined, event => {
    if (!('ticket_id' in event) || !event.kind.startsWith('ticket.')) return
    const { ticket_id: ticket, actor } = event as DeskEvent
    if (ticket !== null) lastChangers.set(ticket, actor.name)
    waiting.current.push(event as DeskEvent)
    if (!isBusy.current) run()
  })

  // Who was away longer than the log of what happened lasts would miss it.
  useEffect(() => {
    const back = async () => {
      const of = current.current
      await reloadTop(of).catch(() => {})
      if (!isInteracting.current) resortList(of)
    }
    addEventListener('online', back)
    return () => removeEventListener('online', back)
  }, [isInteracting])

  // What waited for another list is no matter of this one.
  useEffect(() => {
    const events = waiting
    const unread = failed
    return () => {
      events.current = []
      unread.current = []
    }
  }, [])

  return {
    /** Nobody points at it any more. */
    release: useCallback(() => resortList(current.current), []),
    /** What comes of what one does oneself is shown at once: it does not move things behind one's back. */
    expectOwn: useCallback(() => {
      ownUntil.current = Date.now() + ownMilliseconds
    }, [])
  }
}

function rest(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
