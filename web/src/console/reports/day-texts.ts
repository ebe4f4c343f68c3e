import { locale } from '../../lib/times.ts'

const dayOf = (day: string) => new Date(`${day}T12:00:00Z`)
const single = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** "Tue, 10 Nov", or "9 Nov – 15 Nov": days of the desk's zone, which no other zone moves. */
export function bucketText({ from, to }: { from: string; to: string }): string {
  return from === to ? single.format(dayOf(from)) : `${short.format(dayOf(from))} – ${short.format(dayOf(to))}`
}

const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** "10 Nov 2026 – 9 Dec 2026" */
export function spanText({ from, to }: { from: string; to: string }): string {
  return `${whole.format(dayOf(from))} – ${whole.format(dayOf(to))}`
}

/** "10 Nov" */
export function shortDay(day: string): string {
  return short.format(dayOf(day))
}
