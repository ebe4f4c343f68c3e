import { isDeepStrictEqual } from 'node:util'
import { type Db, prepared } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'
import type { RuleDefinition } from './rule-types.ts'

/** Refuses conditions on an event, which a timer has none of, and a calendar that is not in use. Throws `InvalidFields`. */
export async function checkTimer(
  db: Db,
  { trigger: { timer }, conditions }: RuleDefinition,
  former: RuleDefinition
): Promise<void> {
  if (!timer) return
  const errors = conditions.all.flatMap(({ any }, group) =>
    any.flatMap(({ field }, place) =>
      field.startsWith('event.') ? [`conditions.all.${group}.any.${place}.field`] : []
    )
  )
  if (errors.length > 0) {
    throw InvalidFields({
      message: errors.map(error => `${error} is of events, and a timer has none`).join('; '),
      errors
    })
  }
  const { calendar_id: id, direction } = timer
  if (id === null || id === undefined || isDeepStrictEqual(timer, former.trigger.timer)) return
  const refused = (why: string) =>
    InvalidFields({ message: `trigger.timer.calendar_id ${why}`, errors: ['trigger.timer.calendar_id'] })
  if (direction === 'before') throw refused('counts only after the basis')
  const [calendar] = await calendarInUse(db, { id })
  if (!calendar) throw refused('names no calendar that is in use')
}

/** Locked against deletion until the transaction ends. */
const calendarInUse = prepared((db, p: { id: number }) =>
  db.selectFrom('calendars').where('id', '=', p.id).where('is_archived', '=', false).select('id').forKeyShare()
)
