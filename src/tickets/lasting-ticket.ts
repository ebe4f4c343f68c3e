import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Tables } from '../tables/tables.ts'
import type { TicketRow, TicketStatus } from '../tables/tickets.ts'
import { isSeen, type SeenTickets, type Seer } from './sight.ts'

/** A query for one ticket, locked until the transaction is over, with the status that it has then. */
export type LockedTicketQuery = SelectQueryBuilder<
  Tables & { locked: TicketRow },
  'locked',
  { id: number; status: TicketStatus }
>

/** Tickets that are neither merged into another nor in the trash, also by the time they are held. */
export function locked(db: Db): LockedTicketQuery {
  return db
    .selectFrom('tickets as locked')
    .where('locked.merged_into_id', 'is', null)
    .where('locked.trashed_at', 'is', null)
    .select(['locked.id', 'locked.status'])
    .forNoKeyUpdate() as LockedTicketQuery
}

/**
 * The one ticket of `tickets` or, where it was merged into another, that one, if it is seen as well. A merge that the statement had
 * to wait for leaves it without a row: ask again.
 */
export function lastingTicket(db: Db, tickets: SeenTickets, seer: Seer): LockedTicketQuery {
  const lasting = tickets.select(({ fn }) => fn.coalesce('tickets.merged_into_id', 'tickets.id').as('id'))
  return locked(db).where('locked.id', '=', sql<number>`(${lasting})`).where(isSeen(seer, 'locked'))
}
