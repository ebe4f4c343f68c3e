import { sql } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { FollowerParty } from '../../core/tables/followers.ts'
import { partsOf } from './followers.ts'

/** Removes a follower of a ticket and of those merged into it, at whose request `by` says; false if there is none. */
export async function removeFollower(
  act: Act,
  ticket: number,
  followerId: number,
  by: FollowerParty
): Promise<boolean> {
  const ended = await end(act.db, { ticket, id: followerId, by, now: act.now })
  if (ended.length === 0) return false
  act.happened({ kind: 'ticket.follower_removed', ticket, before: { follower_id: followerId }, after: { by } })
  return true
}

const end = prepared((db, p: { ticket: number; id: number; by: FollowerParty; now: Date }) =>
  db
    .updateTable('ticket_followers')
    .set({ ended_at: p.now, ended_by: p.by })
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('ended_at', 'is', null)
    .where(
      sql<boolean>`lower(email) = (select lower(meant.email) from ticket_followers as meant
        where meant.id = ${p.id} and meant.ticket_id = ${partsOf(p.ticket)})`
    )
    .returning('id')
)
