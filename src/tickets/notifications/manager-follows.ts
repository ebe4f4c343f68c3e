import { sql } from 'kysely'
import type { ClientActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { isFollowedByManager } from '../followers/followed-by-manager.ts'
import { replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { clientVisibility, isOfProvenAddress } from '../ticket/visibility.ts'

/**
 * Follows a ticket of the organisation, or no longer; the own tickets are always followed. Returns whether they do now. Throws `TicketNotFound`.
 */
export async function followAsManager(
  db: Db,
  actor: ClientActor,
  ref: TicketRef,
  isFollowing: boolean
): Promise<{ ticket_id: number; is_following: boolean }> {
  const ticket = await replyTarget(db, clientVisibility(actor), ref)
  if (!ticket) throw TicketNotFound()
  const isOwn = ticket.client_id === actor.id
  if (!isOwn) await store(db, { ticket: ticket.id, client: actor.id, isFollowing })
  return { ticket_id: ticket.id, is_following: isOwn || isFollowing }
}

/** The other managers of the organisation who follow the ticket, see it now, and want e-mails about tickets. */
export async function followingManagers(db: Db, ticket: number) {
  return await following(db, { ticket })
}

const following = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('organisations', 'organisations.id', 'tickets.organisation_id')
    .innerJoin('clients as manager', 'manager.organisation_id', 'organisations.id')
    .where('tickets.id', '=', p.ticket)
    .where(isOfProvenAddress('tickets'))
    .where('manager.organisation_role', '=', 'manager')
    .where('manager.is_email_verified', '=', true)
    .where('manager.is_active', '=', true)
    .where('manager.ticket_emails', '=', true)
    .whereRef('manager.id', '<>', 'tickets.client_id')
    .where(isFollowedByManager)
    .select(['manager.id', 'manager.email'])
    .orderBy('manager.id')
)

/** A ticket that is being deleted is waited for, and a deleted one left out. */
const store = prepared((db, p: { ticket: number; client: number; isFollowing: boolean }) =>
  db
    .insertInto('ticket_manager_follows')
    .columns(['ticket_id', 'client_id', 'is_following'])
    .expression(db =>
      db
        .selectFrom('tickets')
        .where('id', '=', p.ticket)
        .select(eb => [
          'tickets.id',
          sql<number>`${p.client}::bigint`.as('client_id'),
          eb.val(p.isFollowing).as('is_following')
        ])
        .forKeyShare()
    )
    .onConflict(conflict =>
      conflict.columns(['ticket_id', 'client_id']).doUpdateSet({ is_following: sql`excluded.is_following` })
    )
)
