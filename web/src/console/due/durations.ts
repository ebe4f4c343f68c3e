import { durationText, locale } from '../../lib/times.ts'

const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'short' })

/** "18 min", "1 h 05", from ten hours on "12 h", from a day on "3 d". */
export function briefDuration(seconds: number): string {
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return days.format(Math.floor(hours / 24)).replace(/ days?$/, ' d')
  return durationText(hours >= 10 ? hours * 60 : minutes)
}

/** The same to the minute, however long: "9 h 40", "31 h 05". */
export function exactDuration(seconds: number): string {
  return durationText(Math.round(Math.max(0, seconds) / 60))
}
