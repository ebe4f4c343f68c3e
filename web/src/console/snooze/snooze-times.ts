const minute = 60_000
const halfHour = 30 * minute
/** Later than this hour, today is as good as over. */
const lastHour = 16
const startOfDay = 9
const monday = 1

export type PresetName = 'later' | 'tomorrow' | 'nextOpening' | 'nextWeek'

export interface Preset {
  name: PresetName
  at: Date
  /** The calendar that opens at this time. */
  opens?: Opening
}

/** When a calendar next opens. */
export interface Opening {
  calendar: { id: number; name: string }
  at: Date
}

/**
 * The times that are proposed, by the clock of the viewer: in two hours to the half hour, tomorrow and on the next Monday at nine, and when the
 * calendar opens. A time that a change of the clocks skips is the one that exists. Times that are the same moment are one.
 */
export function snoozePresets(now: Date, opening: Opening | undefined): Preset[] {
  const later = new Date(Math.round((now.getTime() + 2 * 60 * minute) / halfHour) * halfHour)
  const days = (monday - now.getDay() + 7) % 7 || 7
  const opens = opening && opening.at > now ? opening : undefined
  const presets: Preset[] = [
    ...(now.getHours() < lastHour ? [{ name: 'later', at: later } as const] : []),
    { name: 'tomorrow', at: morningIn(1, now) },
    // On Sundays tomorrow is next week.
    ...(days > 1 ? [{ name: 'nextWeek', at: morningIn(days, now) } as const] : [])
  ]
  if (!opens) return presets
  if (presets.some(({ at }) => +at === +opens.at)) {
    return presets.map(preset => (+preset.at === +opens.at ? { ...preset, opens } : preset))
  }
  return [...presets, { name: 'nextOpening', at: opens.at, opens } as const].toSorted(
    (one, other) => +one.at - +other.at
  )
}

function morningIn(days: number, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, startOfDay)
}
