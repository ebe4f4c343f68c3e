import { useEffect, useState } from 'react'
import {
  dayInText,
  dayText,
  fullTime,
  instantOf,
  nextChangeOf,
  relativeTime,
  shortTime,
  timeInText
} from '../lib/times.ts'

interface TimeProps {
  /** A time of the API: ISO 8601; without a zone it is UTC. */
  at: string
  /** `relative`: up to a day "3 min", then the date. `short`: "Yesterday, 16:02". `date`: "Today", "20 Oct". `full`: with zone. Within a sentence, `inText` and `dateInText`. */
  style?: keyof typeof styles
}

const styles = {
  relative: relativeTime,
  short: shortTime,
  inText: timeInText,
  date: dayText,
  dateInText: dayInText,
  full: fullTime
}

export function Time({ at, style = 'short' }: TimeProps) {
  const instant = instantOf(at)
  useClock(style === 'full' ? undefined : instant)
  const shown = styles[style](instant)
  return (
    <time dateTime={instant.toISOString()} title={fullTime(instant)}>
      {shown}
    </time>
  )
}

/** Renders again when the words for this instant change. */
function useClock(instant: Date | undefined): void {
  const [, setTick] = useState(0)
  const wait = instant && nextChangeOf(instant)
  useEffect(() => {
    if (wait === undefined) return
    const timer = setTimeout(() => setTick(tick => tick + 1), wait)
    return () => clearTimeout(timer)
  })
}
