import { t } from '../lib/strings.ts'
import { endTime } from '../lib/times.ts'

/** "away until 30 Mar", on the last day "away until 16:30"; undefined for somebody who is here. */
export function awayText(until: string | null | undefined): string | undefined {
  const end = endOfAway(until)
  return end && t('console.awayUntil', { time: endTime(end) })
}

/** When somebody is back; undefined for somebody who is here. */
export function endOfAway(until: string | null | undefined): Date | undefined {
  const end = until ? new Date(until) : undefined
  return end && end.getTime() > Date.now() ? end : undefined
}
