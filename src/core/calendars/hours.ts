/** The days of a week by their names in the API, from Sunday, as `Date.getUTCDay` counts them. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof weekdays)[number]

/** Open from the first time of the clock on the wall until before the second: `["09:00", "12:30"]`; the end may be `24:00`. */
export type Span = readonly [from: string, to: string]

/** The hours of a week; a day that is left out is closed. */
export type WeekHours = { readonly [D in Weekday]?: readonly Span[] }

export interface Week {
  /** The first local date on which these hours hold, `YYYY-MM-DD`; null: from the beginning of time. */
  readonly valid_from: string | null
  readonly hours: WeekHours
}

/** A local date with hours of its own: a holiday (none), a short day or an extra one. */
export interface Day {
  readonly date: string
  readonly name: string
  readonly hours: readonly Span[]
}

/** What says when a calendar is open. With `is_always` its weeks and days do not count. */
export interface CalendarHours {
  readonly time_zone: string
  readonly is_always: boolean
  readonly weeks: readonly Week[]
  readonly days: readonly Day[]
}
