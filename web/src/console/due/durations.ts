import { language } from '../../lib/strings.ts'

const locale = language.startsWith('en') ? 'en' : language
const ofUnit = (unit: 'minute' | 'hour' | 'day') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
const units = { minute: ofUnit('minute'), hour: ofUnit('hour'), day: ofUnit('day') }

/** "18 min", "1 h 05", from ten hours on "12 h", from a day on "3 d". */
export function durationText(seconds: number): string {
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  const hours = Math.floor(minutes / 60)
  if (hours < 1) return unit(minutes, 'minute')
  if (hours >= 24) return unit(Math.floor(hours / 24), 'day')
  const rest = minutes % 60
  return hours >= 10 || rest === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${String(rest).padStart(2, '0')}`
}

/** The same to the minute, however long: "9 h 40", "31 h 05". */
export function exactDuration(seconds: number): string {
  const minutes = Math.round(Math.max(0, seconds) / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return unit(minutes, 'minute')
  return rest === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${String(rest).padStart(2, '0')}`
}

function unit(value: number, name: keyof typeof units): string {
  return units[name]
    .format(value)
    .replace(/ hrs?$/, ' h')
    .replace(/ mins$/, ' min')
    .replace(/ days?$/, ' d')
}
