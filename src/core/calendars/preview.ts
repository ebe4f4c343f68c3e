import { InvalidFields } from '../../kit/errors.ts'
import type { Services } from '../services.ts'
import type { CalendarDraft, StepView } from './calendar-schemas.ts'
import { countingCalendar } from './calendars.ts'
import { openTimeOf, type Step, whyClosed } from './open-time.ts'
import { validatedHours } from './validated-hours.ts'

const minuteMilliseconds = 60_000
const years = { from: 1970, until: 2200 }

/** When so many minutes are over, with the steps until then. Throws `CalendarNotFound`, `InvalidFields`. */
export async function previewDue(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  calendar: CalendarDraft | number,
  from: Date,
  minutes: number
) {
  if (from.getUTCFullYear() < years.from || from.getUTCFullYear() > years.until) {
    throw InvalidFields({ message: `from must lie in the years ${years.from} to ${years.until}`, errors: ['from'] })
  }
  const open =
    typeof calendar === 'number' ? (await countingCalendar(db, calendar)).open : openTimeOfDraft(calendar, clock.now())
  const due = open.add(from, minutes * minuteMilliseconds)
  return { due_at: due?.toISOString() ?? null, steps: due ? open.steps(from, due).map(stepView) : [] }
}

function openTimeOfDraft({ weeks = [], days = [], ...draft }: CalendarDraft, now: Date) {
  return openTimeOf(validatedHours({ ...draft, weeks, days, is_always: draft.is_always === 1 }, now))
}

function stepView(step: Step): StepView {
  const { from, to, kind, milliseconds } = step
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    kind,
    minutes: milliseconds / minuteMilliseconds,
    why: whyClosed(step)
  }
}
