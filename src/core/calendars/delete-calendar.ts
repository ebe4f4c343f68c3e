import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import type { StaffActor } from '../actor.ts'
import { type ActServices, act } from '../acts/act.ts'
import { prepared } from '../db.ts'
import { requireUnused } from '../definitions/uses.ts'
import { lockedCalendar } from './calendars.ts'
import { DefaultCalendar, factsOf } from './change-calendars.ts'

export const CalendarHasClocks = failure(
  409,
  'calendar_has_clocks',
  'The due times of tickets were counted by this calendar: archive it, so that they can still be explained'
)

/**
 * Deletes a calendar that nothing uses and by which no clock was ever counted. Throws `CalendarNotFound`, `DefaultCalendar`, `VersionConflict`, `InUse`,
 * `CalendarHasClocks`.
 */
export async function deleteCalendar(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: { id: number; expected_version?: number }
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedCalendar(db, id)
    requireVersion(former.version, expected_version)
    if (former.is_default) throw DefaultCalendar()
    await requireUnused(db, actor, { kind: 'calendar', id })
    await remove(db, { id }).catch(hasCounted)
    act.happened({ kind: 'calendar.changed', subject: { type: 'calendar', id }, before: factsOf(former), after: null })
  })
}

/** The database knows whether clocks refer to it. */
function hasCounted(error: unknown): never {
  if (error instanceof Error && 'constraint' in error && error.constraint === 'sla_clocks_calendar_id_fkey') {
    throw CalendarHasClocks()
  }
  throw error
}

const remove = prepared((db, p: { id: number }) => db.deleteFrom('calendars').where('id', '=', p.id))
