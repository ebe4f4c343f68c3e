import { type Actor, hasPermission } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import type { Db } from '../../core/db.ts'
import { Forbidden } from '../../kit/errors.ts'
import { type Follower, followersOf } from '../followers/followers.ts'
import { removeFollower } from '../followers/remove-follower.ts'
import { FollowerNotFound } from '../followers/schemas.ts'
import { replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { clientVisibility, deskVisibility, ownTickets, type TicketVisibility } from '../ticket/visibility.ts'

/** The followers of a ticket, or of its merge target if the actor sees that too. Throws `TicketNotFound`. */
export async function visibleFollowers(db: Db, actor: Actor, ref: TicketRef): Promise<Follower[]> {
  return await followersOf(db, await seenBy(db, actor, ref), { forClient: actor.population === 'client' })
}

/**
 * Removes a follower of the client's own ticket, not of one that they see as a manager; staff may do so if they may reply to it. Throws `TicketNotFound`, `FollowerNotFound`,
 * `Forbidden`.
 */
export async function removeFollowerAs(
  services: ActServices,
  actor: Actor,
  caller: Origin,
  { ref, followerId }: { ref: TicketRef; followerId: number }
): Promise<Follower[]> {
  const isClient = actor.population === 'client'
  if (!isClient && !hasPermission(actor, 'tickets.reply')) throw Forbidden({ lacks: ['tickets.reply'] })
  return await act(services, { actor, caller }, async act => {
    const ticket = await seenBy(act.db, actor, ref, isClient ? ownTickets(actor) : undefined)
    const seen = await followersOf(act.db, ticket, { forClient: isClient })
    if (!seen.some(({ id }) => id === followerId)) throw FollowerNotFound()
    if (!(await removeFollower(act, ticket, followerId, isClient ? 'client' : 'staff'))) throw FollowerNotFound()
    return await followersOf(act.db, ticket, { forClient: isClient })
  })
}

async function seenBy(db: Db, actor: Actor, ref: TicketRef, within?: TicketVisibility): Promise<number> {
  const visibility = within ?? (actor.population === 'client' ? clientVisibility(actor) : deskVisibility(actor))
  const ticket = await replyTarget(db, visibility, ref)
  if (!ticket) throw TicketNotFound()
  return ticket.id
}
