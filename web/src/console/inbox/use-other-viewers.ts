import { useMemo } from 'react'
import { usePresences } from '../../app/event-stream.ts'
import { useMe } from '../../app/me.ts'
import type { Viewer } from './ticket-row.tsx'

/** The colleagues at each ticket. */
export function useOtherViewers(): ReadonlyMap<number, readonly Viewer[]> {
  const me = useMe()
  const presences = usePresences()
  return useMemo(() => {
    const others = [...presences].map(([ticket, staff]) => [ticket, staff.filter(({ id }) => id !== me.id)] as const)
    return new Map(others.filter(([, staff]) => staff.length > 0))
  }, [presences, me.id])
}
