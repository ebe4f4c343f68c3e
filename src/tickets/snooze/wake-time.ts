import { countingCalendars } from '../../core/calendars/calendars.ts'
import type { Db } from '../../core/db.ts'
import { InvalidFields, MissingFields } from '../../kit/errors.ts'

/** Until when: a moment, the next opening of a calendar, or until the client writes. */
export interface Until {
  /** ISO 8601 with an offset. */
  until?: string | undefined
  until_next_open?: number | undefined
  until_reply?: 0 | 1 | undefined
}

/**
 * When the ticket comes back by itself; null: only if its client writes. A client's message always wakes a ticket, so that `until_reply` beside a
 * time says no more than the time, and is kept as it was said. Throws `MissingFields` if nothing is given, `InvalidFields` for two times, or
 * one that is not within a year from now.
 */
export async function wakeTime(
  db: Db,
  { until, until_next_open: calendar, until_reply }: Until,
  now: Date
): Promise<{ until: string | null; until_reply: boolean }> {
  if (until !== undefined && calendar !== undefined) {
    const message = 'Say until when once: until or until_next_open'
    throw InvalidFields({ message, errors: ['until', 'until_next_open'] })
  }
  if (calendar !== undefined) {
    const opening = await nextOpening(db, calendar, now)
    return { until: opening.toISOString(), until_reply: until_reply === 1 }
  }
  if (until === undefined) {
    if (until_reply === 1) return { until: null, until_reply: true }
    throw MissingFields({ message: 'Say until when: until, until_next_open or until_reply', errors: ['until'] })
  }
  const time = new Date(until)
  if (time <= now) throw InvalidFields({ message: 'until must be in the future', errors: ['until'] })
  if (time > aYearAfter(now)) throw InvalidFields({ message: 'until must be within a year', errors: ['until'] })
  return { until: time.toISOString(), until_reply: until_reply === 1 }
}

/** When the calendar next opens. Throws `InvalidFields` for one that is unknown or archived, or does not open within a year. */
async function nextOpening(db: Db, id: number, now: Date): Promise<Date> {
  const calendar = (await countingCalendars(db, [id])).get(id)
  const errors = ['until_next_open']
  if (!calendar || calendar.is_archived) throw InvalidFields({ message: 'There is no such calendar', errors })
  const opening = calendar.open.opensAfter(now)
  if (opening && opening <= aYearAfter(now)) return opening
  throw InvalidFields({
    message: calendar.is_always ? 'This calendar is always open' : 'This calendar does not open within a year',
    errors
  })
}

function aYearAfter(time: Date): Date {
  const later = new Date(time)
  later.setUTCFullYear(later.getUTCFullYear() + 1)
  return later
}
