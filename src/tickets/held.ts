import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import type { Tables, TicketRow, TicketStatus } from '../platform/db/tables.ts'
import { isSeen, type SeenTickets, type Seer } from './sight.ts'

/** A query for one ticket, held until the transaction is over, with the status that it has then. */
export type Held = SelectQueryBuilder<Tables & { held: TicketRow }, 'held', { id: number; status: TicketStatus }>

/** Tickets that are neither merged into another nor in the trash, also by the time they are held. */
export function held(db: Db): Held {
  return db
    .selectFrom('tickets as held')
    .where('held.merged_into_id', 'is', null)
    .where('held.trashed_at', 'is', null)
    .select(['held.id', 'held.status'])
    .forNoKeyUpdate() as unknown as Held
}

/**
 * The one ticket of `tickets` or, where it was merged into another, that one, if it is seen as well. A merge that the statement had
 * to wait for leaves it without a row: ask again.
 */
export function lastingTicket(db: Db, tickets: SeenTickets, seer: Seer): Held {
  const lasting = tickets.select(({ fn }) => fn.coalesce('tickets.merged_into_id', 'tickets.id').as('id'))
  return held(db).where('held.id', '=', sql<number>`(${lasting})`).where(isSeen(seer, 'held'))
}
