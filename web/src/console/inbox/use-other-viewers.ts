import { useMemo } from 'react'
import { usePresences } from '../../app/event-stream.ts'
import { useMe } from '../../app/me.ts'
import type { Viewer } from './ticket-row.tsx'

/** The colleagues at each ticket. */
export function useOtherViewers(): ReadonlyMap<number, readonly Viewer[]> {
  const me = useMe()
  const presences = usePresences()
  return useMemo(() => {
    const others = new Map<number, Viewer[]>()
    for (const [place, staff] of presences) {
      const here = staff.filter(({ id }) => id !== me.id)
      if (typeof place === 'number' && here.length > 0) others.set(place, here)
    }
    return others
  }, [presences, me.id])
}
