/** The minutes of each unit, by the letters that its words begin with, in English and German. */
const units: Record<string, number> = { m: 1, h: 60, s: 60, d: 1440, t: 1440, w: 10_080 }
const part =
  /^(\d+(?:[.,]\d+)?) ?(m|min|mins|minutes?|minuten?|h|hr|hrs|hours?|std|stunden?|d|days?|t|tage?|w|weeks?|wochen?)?\.?(?:[ ,]+|$)/

/**
 * The minutes of a duration as people type it: "30 min", "4h", "1 h 30", "2 d", "1:30", "1,5 Std."; a number alone is minutes. A day has 24 hours.
 * Null if nothing is typed, undefined if it cannot be read.
 */
export function readDuration(typed: string): number | null | undefined {
  let rest = typed.trim().toLowerCase()
  if (rest === '') return null
  const clock = /^(\d+):([0-5]\d)(?: ?h| ?std\.?)?$/.exec(rest)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2])
  let sum = 0
  let former = Number.POSITIVE_INFINITY
  while (rest !== '') {
    const found = part.exec(rest) ?? /^(\d+)(h|d|t)(?=\d)/.exec(rest)
    if (!found) return undefined
    // Without a unit it is minutes, also behind hours: "1 h 30".
    const unit = units[found[2]?.[0] ?? 'm']!
    if (unit >= former) return undefined
    former = unit
    sum += Number(found[1]!.replace(',', '.')) * unit
    rest = rest.slice(found[0].length)
  }
  return Number.isInteger(sum) ? sum : undefined
}
