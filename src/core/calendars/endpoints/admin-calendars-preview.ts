import { Type } from 'typebox'
import { InvalidFields, MissingFields } from '../../../kit/errors.ts'
import { Id, Instant, IsoTime, Nullable } from '../../../kit/schemas.ts'
import { instantOf } from '../../../lib/time.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarDraft, StepView } from '../calendar-schemas.ts'
import { CalendarNotFound } from '../calendars.ts'
import { previewDue } from '../preview.ts'

/** When so many open minutes have gone by, of a calendar or of hours that nobody has saved yet; `due_at` is null if they never will. */
export const previewCalendar = endpoint({
  path: '/api/admin/calendars/preview',
  aliases: ['/api/admin/calendars/:id/preview'],
  summary: 'Show when something would be due by a calendar, and why',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    id: Type.Optional(Id(2)),
    calendar: Type.Optional(CalendarDraft),
    from: Instant('2026-03-27T15:30:00Z'),
    minutes: Type.Integer({ minimum: 1, maximum: 525_600, examples: [240] })
  }),
  data: Type.Object({ due_at: Nullable(IsoTime()), steps: Type.Array(StepView) }),
  errors: [CalendarNotFound],
  async handle({ body: { id, calendar, from, minutes }, services }) {
    if (id === undefined && calendar === undefined) throw MissingFields({ errors: ['id'] })
    if (id !== undefined && calendar !== undefined) {
      throw InvalidFields({ message: 'Give id or calendar, not both', errors: ['id', 'calendar'] })
    }
    const data = await previewDue(services, calendar ?? id!, instantOf(from), minutes)
    return { message: 'Due time', data }
  }
})
