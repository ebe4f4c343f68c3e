import type { DeskEvent } from '@deskline/client'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { useLiveEvents } from '../../app/event-stream.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import type { QueueQuery } from './queue-search.ts'
import { applyEvents, reloadTop, resortList, showArrived } from './ticket-list-query.ts'

/** The name of the person who changed each ticket last, from the live events of this tab. */
const lastChangers = new Map<number, string>()

/** The person who changed all of these tickets last, if it was one person. */
export function changerOf(ids: readonly number[]): string | undefined {
  const names = new Set(ids.map(id => lastChangers.get(id)))
  return names.size === 1 ? [...names][0] : undefined
}

/** Events within `gather` are applied together, and there are `pause` milliseconds between two rounds. */
const gather = 120
const pause = 700

/**
 * Keeps the list up to date. While the pointer or the focus is in it (`isInteracting`), no row moves; afterwards the rows are sorted
 * again.
 */
export function useLiveList(query: QueueQuery, isInteracting: RefObject<boolean>) {
  const waiting = useRef<DeskEvent[]>([])
  /** The events whose changes could not be read. */
  const failed = useRef<DeskEvent[]>([])
  const current = useRef(query)
  const isBusy = useRef(false)
  /** The tickets of one's own changes whose events have not come yet. */
  const own = useRef(new Set<number | null>())
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
      if (events.filter(({ ticket_id }) => own.current.delete(ticket_id)).length > 0) showArrived(of)
      else if (!isInteracting.current) resortList(of)
      void reloadQueries('/api/admin/tickets/counts')
      await rest(pause)
    }
    isBusy.current = false
  }, [isInteracting])

  useLiveEvents(event => {
    if (!('ticket_id' in event) || !/^(ticket|sla|conversation)\./.test(event.kind)) return
    const { ticket_id: ticket, actor } = event as DeskEvent
    // The service tells the name with that of an API token at its end, and nobody is called so otherwise.
    if (ticket !== null) lastChangers.set(ticket, actor.name.split(', by ')[0]!)
    waiting.current.push(event as DeskEvent)
    if (!isBusy.current) run()
  })

  // After a long time offline the event log may no longer have all events, so the top of the list is reloaded.
  useEffect(() => {
    const back = async () => {
      const of = current.current
      await reloadTop(of).catch(() => {})
      if (!isInteracting.current) resortList(of)
    }
    addEventListener('online', back)
    return () => removeEventListener('online', back)
  }, [isInteracting])

  // Events that waited for another list do not concern this one.
  useEffect(() => {
    const events = waiting
    const unread = failed
    return () => {
      events.current = []
      unread.current = []
    }
  }, [])

  return {
    /** Call it when neither the pointer nor the focus is in the list any more. */
    release: useCallback(() => resortList(current.current), []),
    /** Call it after one's own change of these tickets: what comes of it is shown at once, also while the pointer is in the list. */
    expectOwn: useCallback((ids: readonly number[]) => {
      for (const id of ids) own.current.add(id)
      // The events may have come already.
      showArrived(current.current)
    }, [])
  }
}

function rest(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
