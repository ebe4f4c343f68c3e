import { type Static, Type } from 'typebox'
import { BooleanInput, Flag, Id, Name, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { ExpectedVersion, Version } from '../../kit/versions.ts'
import { type Span, type WeekHours, weekdays } from './hours.ts'

/** More than a desk has, and few enough that nobody waits. */
const mostWeeks = 100
/** Ten years of days. */
export const mostDays = 3660

const example = [
  ['09:00', '12:30'],
  ['13:00', '17:00']
]
// The spans themselves are checked by `validatedHours`, which names the day.
const SpansInput = Type.Unsafe<readonly Span[]>(
  Type.Array(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 }), { maxItems: 100, examples: [example] })
)

function ofEachDay<T>(schema: T) {
  return Object.fromEntries(weekdays.map(day => [day, schema]))
}

// `Type.Partial` would lose the option: Tuesday as `tuesday` would be closed.
const HoursInput = Type.Unsafe<WeekHours>(
  Type.Object(ofEachDay(Type.Optional(SpansInput)), { additionalProperties: false })
)

const weeksText = 'The hours of a week, from a local date on; a day that is left out is closed.'
const WeeksInput = Type.Array(
  Type.Object(
    {
      valid_from: Type.Optional(Nullable(Type.String({ maxLength: 20, examples: ['2026-07-01'] }))),
      hours: HoursInput
    },
    { additionalProperties: false }
  ),
  {
    maxItems: mostWeeks,
    description: weeksText,
    'x-invalid': 'weeks must be a list of objects like {"valid_from": null, "hours": {"mon": [["09:00", "17:00"]]}}'
  }
)

export const DaysInput = Type.Array(
  Type.Object(
    {
      date: Type.String({ maxLength: 20, examples: ['2026-12-24'] }),
      name: Type.String({ maxLength: 200, examples: ['Christmas Eve'] }),
      hours: Type.Optional(SpansInput)
    },
    { additionalProperties: false }
  ),
  {
    maxItems: mostDays,
    description: 'Local dates with hours of their own: holidays, short days and extra ones.',
    'x-invalid': 'days must be a list of objects like {"date": "2026-12-24", "name": "Christmas Eve", "hours": []}'
  }
)

const CalendarName = Name(100, 'Berlin office')
const TimeZone = Type.String({ minLength: 1, maxLength: 100, examples: ['Europe/Berlin'], 'x-trim': true })
export const Year = Type.Integer({ minimum: 1970, maximum: 2200, examples: [2026] })

/** What says when a calendar is open, as it is sent. */
const hoursInput = {
  time_zone: TimeZone,
  is_always: Type.Optional(BooleanInput(0)),
  weeks: Type.Optional(WeeksInput),
  days: Type.Optional(DaysInput)
}
export const CalendarInput = Type.Object({
  name: CalendarName,
  ...hoursInput,
  is_default: Type.Optional(BooleanInput(0))
})
export type CalendarInput = Static<typeof CalendarInput>

/** Hours that nobody has saved: the name does not matter. */
export const CalendarDraft = Type.Object({ ...hoursInput, name: Type.Optional(CalendarName) })
export type CalendarDraft = Static<typeof CalendarDraft>

export const RecomputePast = Type.Optional(BooleanInput(0))

export const CalendarChanges = Type.Object({
  id: Id(),
  ...Type.Partial(CalendarInput).properties,
  days_of: Type.Optional(
    Type.Array(Year, { maxItems: 200, description: 'The years whose days `days` replaces; without it all of them.' })
  ),
  recompute_past: RecomputePast,
  expected_version: ExpectedVersion
})
export type CalendarChanges = Static<typeof CalendarChanges>

const SpansView = Type.Unsafe<readonly Span[]>(
  Type.Array(Type.Array(Type.String({ examples: ['09:00'] })), { examples: [example] })
)
export const HoursView = Type.Unsafe<WeekHours>(Type.Partial(Type.Object(ofEachDay(SpansView))))
export const WeekView = Type.Object({
  valid_from: Nullable(Type.String({ examples: ['2026-07-01'] })),
  hours: HoursView
})
export const DayView = Type.Object({
  date: OutputText('2026-12-24'),
  name: OutputText('Christmas Eve'),
  hours: SpansView
})

export type ListedCalendar = Static<typeof ListedCalendar>
export const ListedCalendar = Type.Object({
  id: Id(2),
  name: OutputText('Berlin office'),
  time_zone: OutputText('Europe/Berlin'),
  is_always: Flag(0),
  is_default: Flag(1),
  is_archived: Flag(0),
  weeks: Type.Array(WeekView),
  version: Version
})
export const CalendarView = Type.Object({ ...ListedCalendar.properties, days: Type.Array(DayView) })
export type CalendarView = Static<typeof CalendarView>

export type StepView = Static<typeof StepView>
export const StepView = Type.Object({
  from: Type.String({ format: 'date-time', examples: ['2026-03-27T15:30:00.000Z'] }),
  to: Type.String({ format: 'date-time', examples: ['2026-03-27T16:00:00.000Z'] }),
  kind: OneOf(['counted', 'closed'] as const),
  minutes: Type.Number({ minimum: 0, examples: [30] }),
  why: Nullable(Type.String({ examples: ['weekend'] }))
})
