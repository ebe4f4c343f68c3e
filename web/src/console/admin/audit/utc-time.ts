import { locale } from '../../../lib/times.ts'

const utcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const utcDayAndYear = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC'
})

/** "20 Nov 14:31:07" in UTC, of other years with the year: as a log is kept. */
export function utcTime(instant: Date, now = Date.now()): string {
  const isThisYear = instant.getUTCFullYear() === new Date(now).getUTCFullYear()
  const day = (isThisYear ? utcDay : utcDayAndYear).format(instant)
  return `${day} ${instant.toISOString().slice(11, 19)}`
}
