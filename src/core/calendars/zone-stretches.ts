import { Temporal } from 'temporal-polyfill'

/** A stretch of time in which the clocks of a zone do not change: the time on the wall is UTC + offset. All in milliseconds. */
export interface ZoneStretch {
  from: number
  to: number
  offset: number
}

/** The stretches of a zone between two instants, cut at its transitions. Only for this, `temporal-polyfill` is used: Node 24 has no `Temporal`. */
export function zoneStretches(timeZone: string, from: number, to: number): ZoneStretch[] {
  const stretches: ZoneStretch[] = []
  let at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    const end = Math.min(to, next?.epochMilliseconds ?? to)
    stretches.push({ from: at.epochMilliseconds, to: end, offset: Math.round(at.offsetNanoseconds / 1_000_000) })
    if (next === null || end === to) return stretches
    at = next
  }
}
