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

type About<P, R> = (tickets: SeenTickets, p: P, db: Db, seer: Seer) => { compile(): CompiledQuery<R> }

/**
 * A query for one ticket by id or number, with the permission check in the same round trip; returns its one row. For a client, a ticket of
 * somebody else is the same 404 as no ticket. Staff need `permission`; with `orAssigned`, tickets assigned to them need none. Staff without
 * either get 403, whether or not the ticket exists (decisions 25 and 27).
 */
export function forTicket<P extends object, R>(
  staffNeed: { permission: Permission; orAssigned?: true },
  build: About<P, R>
): (db: Db, actor: Actor | SystemActor, ref: TicketRef, parameters: P) => Promise<R> {
  return firstRow(staffNeed, [aboutTicket(build)])
}

/**
 * The same for a write. It locks the ticket or, if that was merged, its target, if the actor sees that as well. Most tickets are not
 * merged, so the named one is tried first. If nothing is found, the target is looked up twice, since the ticket may have been merged while
 * the statement waited for the lock.
 */
export function forLastingTicket<P extends object, R>(
  staffNeed: { permission: Permission },
  build: (ticket: LockedTicketQuery, p: P, db: Db) => { compile(): CompiledQuery<R> }
): (db: Db, actor: Actor | SystemActor, ref: TicketRef, parameters: P) => Promise<R> {
  const named = byRef<P, R>((column, _tickets, p, db, seer) =>
    build(
      locked(db)
        .where(sql.ref(`locked.${column}`), '=', p.ref)
        .where(isSeen(seer, 'locked')),
      p,
      db
    )
  )
  const lasting = aboutTicket<P, R>((tickets, p, db, seer) => build(lastingTicket(db, tickets, seer), p, db))
  return firstRow(staffNeed, [named, lasting, lasting])
}

type Ask<P, R> = (db: Db, sight: Sight, ref: TicketRef, parameters: P) => Promise<R | undefined>

/** Runs these queries in order and returns the first row found. */
function firstRow<P, R>({ permission, orAssigned }: { permission: Permission; orAssigned?: true }, tries: Ask<P, R>[]) {
  return async (db: Db, actor: Actor | SystemActor, ref: TicketRef, parameters: P): Promise<R> => {
    const sight = ticketsWith(actor, permission)
    const isLimited = sight.column === 'assigned_staff_id'
    if (isLimited && !orAssigned) throw Forbidden()

    for (const ask of tries) {
      const row = await ask(db, sight, ref, parameters)
      if (row) return row
    }
    throw isLimited ? Forbidden() : TicketNotFound()
  }
}

/** A query for one ticket by id or number, if the actor may see it; returns its one row. */
export function aboutTicket<P extends object, R>(build: About<P, R>): Ask<P, R> {
  return byRef((column, tickets, p, db, seer) =>
    build(tickets.where(sql.ref(`tickets.${column}`), '=', p.ref), p, db, seer)
  )
}

type WithRef<P> = P & { ref: number | string }

function byRef<P extends object, R>(
  build: (column: 'id' | 'ticket_number', ...given: Parameters<About<WithRef<P>, R>>) => { compile(): CompiledQuery<R> }
): Ask<P, R> {
  const byId = throughSight<WithRef<P>, R>((...given) => build('id', ...given))
  const byNumber = throughSight<WithRef<P>, R>((...given) => build('ticket_number', ...given))

  return async (db, sight, ref, parameters) => {
    const [row] =
      typeof ref === 'number'
        ? await byId(db, sight, { ...parameters, ref })
        : await byNumber(db, sight, { ...parameters, ref: ref.toUpperCase() })
    return row
  }
}

/** A query that locks one ticket until the transaction ends, and reads the status that it has then. */
export type LockedTicketQuery = SelectQueryBuilder<
  Tables & { locked: TicketRow },
  'locked',
  { id: number; status: TicketStatus }
>

/** Tickets that are neither merged nor in the trash, checked again once they are locked. */
export function locked(db: Db): LockedTicketQuery {
  return db
    .selectFrom('tickets as locked')
    .where('locked.merged_into_id', 'is', null)
    .where('locked.trashed_at', 'is', null)
    .select(['locked.id', 'locked.status'])
    .forNoKeyUpdate() as LockedTicketQuery
}

/**
 * The one ticket of `tickets` or, if that was merged, its target, if the actor sees that as well. A merge that commits while the statement
 * waits leaves no row: the caller retries.
 */
function lastingTicket(db: Db, tickets: SeenTickets, seer: Seer): LockedTicketQuery {
  const lasting = tickets.select(({ fn }) => fn.coalesce('tickets.merged_into_id', 'tickets.id').as('id'))
  return locked(db).where('locked.id', '=', sql<number>`(${lasting})`).where(isSeen(seer, 'locked'))
}

/** What writes to a ticket read of it in the same statement. */
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
