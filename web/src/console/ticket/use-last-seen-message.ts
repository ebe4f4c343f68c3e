import { createStore, get, set } from 'idb-keyval'
import { useEffect, useState } from 'react'
import { useMe } from '../../app/me.ts'
import type { Detail } from './thread-types.ts'

const seen = createStore('deskline-seen', 'tickets')

/** The newest message at this person's last visit in this browser. Later messages are not folded. */
export function useLastSeenMessage({ ticket, last_message_id: newest }: Detail): number | undefined {
  const { id: me } = useMe()
  const key = `staff:${me}/${ticket.id}`
  const [before, setBefore] = useState<number>()

  useEffect(() => {
    let isOver = false
    get<number>(key, seen).then(
      kept => isOver || setBefore(kept),
      () => {}
    )
    return () => {
      isOver = true
    }
  }, [key])

  useEffect(() => {
    if (newest === null) return
    // During this visit everything stays open; at the next visit only newer messages do.
    return () => void set(key, newest, seen).catch(() => {})
  }, [key, newest])

  return before
}
