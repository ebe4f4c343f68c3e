import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'
import type { Condition, Conditions } from '../conditions/schemas.ts'
import { requireExisting } from '../conditions/stored-conditions.ts'
import type { SlaPolicy, SlaPolicyDefinition } from './policy-types.ts'

/**
 * Refuses what no policy may say (`InvalidFields`): a metric and priority twice, a warning that is not before any target, a calendar, tag or
 * department that does not exist. An archived calendar cannot be chosen anew; what `former` names already may stay.
 */
export async function checkPolicy(
  db: Db,
  { conditions, targets, warn_minutes }: SlaPolicyDefinition,
  former?: SlaPolicy
): Promise<void> {
  if (!isDeepStrictEqual(conditions, former?.conditions)) await requireExisting(db, conditions)
  for (const [at, { metric, priority }] of targets.entries()) {
    if (targets.findIndex(each => each.metric === metric && each.priority === priority) === at) continue
    throw InvalidFields({
      message: `targets.${at}: there is a target of ${metric} for ${priority} already`,
      errors: ['targets']
    })
  }
  if (warn_minutes !== null && targets.length > 0 && targets.every(({ minutes }) => minutes <= warn_minutes)) {
    throw InvalidFields({ message: 'warn_minutes must be less than one of the targets', errors: ['warn_minutes'] })
  }
  await checkCalendars(db, targets, former)
}

async function checkCalendars(db: Db, targets: SlaPolicy['targets'], former: SlaPolicy | undefined): Promise<void> {
  const ids = [...new Set(targets.map(({ calendar_id }) => calendar_id))]
  const found = new Map((await calendarsById(db, { ids })).map(calendar => [calendar.id, calendar]))
  for (const [at, { calendar_id: id }] of targets.entries()) {
    const calendar = found.get(id)
    const isKept = former?.targets.some(target => target.calendar_id === id) ?? false
    if (calendar && (!calendar.is_archived || isKept)) continue
    const fault = calendar ? `the calendar “${calendar.name}” is archived` : `there is no calendar ${id}`
    throw InvalidFields({ message: `targets.${at}.calendar_id: ${fault}`, errors: ['targets'] })
  }
}

/** Locked against deletion until the transaction ends. */
const calendarsById = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('calendars')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'name', 'is_archived'])
    .forKeyShare()
)

/** A policy that never takes a ticket, since one before it takes all of those that fit. */
export interface PolicyWarning {
  policy: SlaPolicy
  by: SlaPolicy
}

/** The warnings about these policies, which are in the order in which they are tried. */
export function warningsAbout(policies: readonly SlaPolicy[]): PolicyWarning[] {
  const active = policies.filter(({ is_active, is_archived }) => is_active && !is_archived)
  return active.flatMap((policy, at) => {
    const by = active.slice(0, at).find(earlier => covers(earlier.conditions, policy.conditions))
    return by ? [{ policy, by }] : []
  })
}

/** Whether whatever fits the narrow conditions surely fits the wide ones. False where that is not plain from how they are written. */
function covers(wide: Conditions, narrow: Conditions): boolean {
  return wide.all.every(group =>
    narrow.all.some(narrowGroup =>
      narrowGroup.any.every(condition => group.any.some(wider => isCovered(condition, wider)))
    )
  )
}

function isCovered(narrow: Condition, wide: Condition): boolean {
  if (isDeepStrictEqual(narrow, wide)) return true
  if (narrow.field !== wide.field) return false
  const [narrowValues, wideValues] = [valuesOf(narrow), valuesOf(wide)]
  return Boolean(narrowValues && wideValues && narrowValues.every(value => wideValues.includes(value)))
}

/** The values of which the field has one, if the condition says that. */
function valuesOf({ op, value }: Condition): unknown[] | undefined {
  if (op === 'is') return [value]
  return op === 'in' && Array.isArray(value) ? value : undefined
}
