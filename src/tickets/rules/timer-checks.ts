import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'
import type { RuleDefinition, Timer } from './rule-types.ts'

/** Refuses conditions on an event, which a timer has none of, and a calendar or a field that is not in use. Throws `InvalidFields`. */
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
  if (isDeepStrictEqual(timer, former.trigger.timer)) return
  await checkCalendar(db, timer)
  await checkField(db, timer)
}

async function checkCalendar(db: Db, { calendar_id: id, direction }: Timer): Promise<void> {
  if (id === null || id === undefined) return
  if (direction === 'before') throw refused('calendar_id', 'counts only after the basis')
  const [calendar] = await calendarInUse(db, { id })
  if (!calendar) throw refused('calendar_id', 'names no calendar that is in use')
}

async function checkField(db: Db, { basis, field_id: id }: Timer): Promise<void> {
  if ((basis === 'date_field') !== (id !== undefined))
    throw refused('field_id', 'is for the basis date_field, which needs it')
  if (id === undefined) return
  const [field] = await dateInUse(db, { id })
  if (!field) throw refused('field_id', 'names no custom field with a date that is in use')
}

function refused(name: string, why: string) {
  return InvalidFields({ message: `trigger.timer.${name} ${why}`, errors: [`trigger.timer.${name}`] })
}

/** Locked against deletion until the transaction ends. */
const calendarInUse = prepared((db, p: { id: number }) =>
  db.selectFrom('calendars').where('id', '=', p.id).where('is_archived', '=', false).select('id').forKeyShare()
)

const dateInUse = prepared((db, p: { id: number }) =>
  db
    .selectFrom('fields')
    .where('id', '=', p.id)
    .where('kind', '=', sql.lit('date' as const))
    .where('is_archived', '=', false)
    .select('id')
    .forKeyShare()
)
