import { useEffect, useRef } from 'react'
import { useLiveEvents } from '../../app/event-stream.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import type { Detail } from './thread-types.ts'
import { reloadDetail } from './ticket-cache.ts'

/** Events within this time cause one reload. */
const togetherMilliseconds = 120

/** Reloads the open ticket after each event about it. */
export function useLiveThread(number: string, detail: Detail | undefined): void {
  const timer = useRef<number>(undefined)
  const ids = useRef<ReadonlySet<number>>(new Set())
  ids.current = new Set(detail ? [detail.ticket, ...detail.merged_sources].map(({ id }) => id) : [])

  useEffect(() => () => window.clearTimeout(timer.current), [])

  useLiveEvents(event => {
    if (
      !('ticket_id' in event) ||
      event.kind === 'presence' ||
      event.ticket_id === null ||
      !ids.current.has(event.ticket_id)
    )
      return
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      void reloadDetail(number)
      void reloadQueries('/api/admin/tickets/sla')
      void reloadQueries('/api/admin/tickets/conversations/list')
      void reloadQueries('/api/admin/tickets/conversations/detail')
    }, togetherMilliseconds)
  })
}
