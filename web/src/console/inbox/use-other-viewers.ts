import { useEffect, useMemo, useState } from 'react'
import { usePresences } from '../../app/event-stream.ts'
import { useMe } from '../../app/me.ts'
import type { Viewer } from './ticket-row.tsx'

/** Which colleagues are at which ticket. */
export function useOtherViewers(): ReadonlyMap<number, readonly Viewer[]> {
  const me = useMe()
  const presences = usePresences()
  return useMemo(() => {
    const others = [...presences].map(([ticket, staff]) => [ticket, staff.filter(({ id }) => id !== me.id)] as const)
    return new Map(others.filter(([, staff]) => staff.length > 0))
  }, [presences, me.id])
}

/** The tickets for which something was begun in this browser. */
export function useDraftedTickets(): ReadonlySet<number> {
  const me = useMe()
  const [drafted, setDrafted] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    const account = `staff:${me.id}`
    // The rows are there before it is known what was begun at them.
    const watching = import('../../lib/drafts.ts').then(({ draftsOf, watchDrafts }) => {
      const look = async () => {
        const keys = await draftsOf(account).catch(() => [])
        const ids = keys.map(key => Number(key.split('/')[1])).filter(Number.isInteger)
        setDrafted(known => (ids.length === known.size && ids.every(id => known.has(id)) ? known : new Set(ids)))
      }
      void look()
      return watchDrafts(look)
    })
    // What could not be loaded is not told.
    watching.catch(() => {})
    return () => void watching.then(stop => stop()).catch(() => {})
  }, [me.id])
  return drafted
}
