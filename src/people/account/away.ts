import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Caller } from '../../kit/caller.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { instantOf } from '../../lib/time.ts'

/** Sets until when a member of staff is away; null: they are back. Throws `InvalidFields` for a time that is not in the future. */
export async function setAway(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  given: string | null
): Promise<Date | null> {
  const until = given === null ? null : instantOf(given)
  if (until && until <= services.clock.now()) {
    throw InvalidFields({ message: 'until must be in the future', errors: ['until'] })
  }
  await act(services, { actor, caller }, async act => {
    if ((await store(act.db, { id: actor.id, until })).length === 0) return
    const subject = { type: 'staff', id: actor.id } as const
    act.happened({ kind: 'profile.changed', subject, after: { fields: ['away_until'] } })
  })
  return until
}

const store = prepared((db, p: { id: number; until: Date | null }) =>
  db
    .updateTable('staff')
    .where('id', '=', p.id)
    .where('away_until', 'is distinct from', p.until)
    .set({ away_until: p.until })
    .returning('id')
)
