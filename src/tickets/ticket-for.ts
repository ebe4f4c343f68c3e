import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import type { Actor, SystemActor } from '../actor.ts'
import type { Db } from '../db.ts'
import { Forbidden, failure } from '../kit/errors.ts'
import type { Permission } from '../permissions.ts'
import type { Tables } from '../tables/tables.ts'
import type { TicketRow, TicketStatus } from '../tables/tickets.ts'
import type { TicketRef } from './schemas.ts'
import { isSeen, type SeenTickets, type Seer, type Sight, throughSight, ticketsWith } from './sight.ts'

export const TicketNotFound = failure(404, 'ticket_not_found', 'There is no such ticket')

/**
 * A query about one ticket by id or number, in one round trip with the question who may see it. Answers its one row. Somebody
 * else's ticket and no ticket at all are the same 404 for a client. Staff need `permission`; `orAssigned`: without it the tickets
 * assigned to them do. Staff without either get 403, whether or not there is such a ticket (decisions 25 and 27). `again`: what
 * is not found is looked for once more, since the ticket may have been merged while the statement waited for it.
 */
export function forTicket<P extends object, R>(
  staffNeed: { permission: Permission; orAssigned?: true; again?: true },
  build: (tickets: SeenTickets, p: P, db: Db, seer: Seer) => { compile(): CompiledQuery<R> }
): (db: Db, actor: Actor | SystemActor, ref: TicketRef, parameters: P) => Promise<R> {
  const about = aboutTicket(build)

  return async (db, actor, ref, parameters) => {
    const sight = ticketsWith(actor, staffNeed.permission)
    const isLimited = sight.column === 'assigned_staff_id'
    if (isLimited && !staffNeed.orAssigned) throw Forbidden()

    const row = await about(db, sight, ref, parameters)
    if (row) return row
    const onceMore = staffNeed.again && (await about(db, sight, ref, parameters))
    if (onceMore) return onceMore
    throw isLimited ? Forbidden() : TicketNotFound()
  }
}

/** A query about one ticket by id or number, if it is among those that are seen; answers its one row. */
export function aboutTicket<P extends object, R>(
  build: (tickets: SeenTickets, p: P, db: Db, seer: Seer) => { compile(): CompiledQuery<R> }
): (db: Db, sight: Sight, ref: TicketRef, parameters: P) => Promise<R | undefined> {
  const byId = throughSight((tickets, p: P & { ref: number }, db, seer) =>
    build(tickets.where('tickets.id', '=', p.ref), p, db, seer)
  )
  const byNumber = throughSight((tickets, p: P & { ref: string }, db, seer) =>
    build(tickets.where('tickets.ticket_number', '=', p.ref), p, db, seer)
  )

  return async (db, sight, ref, parameters) => {
    const [row] =
      typeof ref === 'number'
        ? await byId(db, sight, { ...parameters, ref })
        : await byNumber(db, sight, { ...parameters, ref: ref.toUpperCase() })
    return row
  }
}

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

/** What those who write a ticket read of it in the same statement. */
export const writtenColumns = [
  'tickets.id',
  'tickets.ticket_number',
  'tickets.client_id',
  'tickets.department_id',
  'tickets.subject',
  'tickets.priority',
  'tickets.status',
  'tickets.version',
  'tickets.created_at'
] as const
