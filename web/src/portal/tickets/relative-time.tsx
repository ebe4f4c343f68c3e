import { useEffect, useState } from 'react'
import { language } from '../../lib/strings.ts'
import { fullTime, instantOf } from '../../lib/times.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "3 minutes ago", "yesterday", and after a week the date: for use in sentences. */
export function RelativeTime({ at }: { at: string }) {
  const instant = instantOf(at)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minute)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={instant.toISOString()} title={fullTime(instant)}>
      {relativeText(instant, Math.max(now, instant.getTime()))}
    </time>
  )
}

function relativeText(instant: Date, now: number): string {
  const passed = now - instant.getTime()
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  if (passed < minute) return words.format(0, 'second')
  if (passed < hour) return words.format(-Math.floor(passed / minute), 'minute')
  const days = Math.round((midnight(new Date(now)) - midnight(instant)) / day)
  if (days === 0 || passed < 12 * hour) return words.format(-Math.floor(passed / hour), 'hour')
  if (days < 7) return words.format(-days, 'day')
  const isThisYear = instant.getFullYear() === new Date(now).getFullYear()
  return instant.toLocaleDateString(locale, { day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) })
}

const locale = language.slice(0, 2)

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
