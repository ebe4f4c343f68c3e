/**
 * The time zone of this name, spelt as in the tz database (`europe/berlin` → `Europe/Berlin`); undefined if there is none. A fixed offset
 * (`+02:00`, `Etc/GMT-2`) is not the zone of a place: it knows no summer time.
 */
export function timeZoneNamed(name: string): string | undefined {
  if (/^[+-]|^Etc\/GMT[+-]/i.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // A former name of a zone (`Asia/Calcutta`, `Asia/Kolkata`) stays as it is given.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}

/** The date on the calendar of this zone, `YYYY-MM-DD`. */
export function localDate(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
}
