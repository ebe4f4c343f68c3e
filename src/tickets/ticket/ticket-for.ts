import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import type { Actor, SystemActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Tables } from '../../core/tables/tables.ts'
import type { TicketRow, TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import type { TicketRef } from './schemas.ts'
import {
  type BoundVisibility,
  isSeen,
  preparedForVisible,
  type TicketVisibility,
  ticketsWith,
  type VisibleTickets
} from './visibility.ts'

export const TicketNotFound = failure(404, 'ticket_not_found', 'There is no such ticket')

type About<P, R> = (
  tickets: VisibleTickets,
  p: P,
  db: Db,
  boundVisibility: BoundVisibility
) => { compile(): CompiledQuery<R> }

/**
 * A query for one ticket by id or number, with the permission check in the same round trip; returns its one row. For a client, a ticket of
 * somebody else is the same 404 as no ticket. Staff need `permission`; with `orAssigned`, tickets assigned to them need none. Staff without
 * either get 403, whether or not the ticket exists (decisions 25 and 27).
 */
export function permittedTicketQuery<P extends object, R>(
  staffNeed: { permission: Permission; orAssigned?: true },
  build: About<P, R>
): (db: Db, actor: Actor | SystemActor, ref: TicketRef, parameters: P) => Promise<R> {
  return firstRow(staffNeed, [visibleTicketQuery(build)])
}

/**
 * The same for a write. It locks the ticket or, if that was merged, its target, if the actor sees that as well. Most tickets are not
 * merged, so the named one is tried first. If nothing is found, the target is looked up twice, since the ticket may have been merged while
 * the statement waited for the lock.
 */
export function permittedTargetQuery<P extends object, R>(
  staffNeed: { permission: Permission },
  build: (ticket: LockedTicketQuery, p: P, db: Db) => { compile(): CompiledQuery<R> }
): (db: Db, actor: Actor | SystemActor, ref: TicketRef, parameters: P) => Promise<R> {
  const named = byRef<P, R>((column, _tickets, p, db, boundVisibility) =>
    build(
      locked(db)
        .where(sql.ref(`locked.${column}`), '=', p.ref)
        .where(isSeen(boundVisibility, 'locked')),
      p,
      db
    )
  )
  const lasting = visibleTicketQuery<P, R>((tickets, p, db, boundVisibility) =>
    build(mergeTarget(db, tickets, boundVisibility), p, db)
  )
  return firstRow(staffNeed, [named, lasting, lasting])
}

type Ask<P, R> = (db: Db, visibility: TicketVisibility, ref: TicketRef, parameters: P) => Promise<R | undefined>

/** Runs these queries in order and returns the first row found. */
function firstRow<P, R>({ permission, orAssigned }: { permission: Permission; orAssigned?: true }, tries: Ask<P, R>[]) {
  return async (db: Db, actor: Actor | SystemActor, ref: TicketRef, parameters: P): Promise<R> => {
    const visibility = ticketsWith(actor, permission)
    const isLimited = visibility.column === 'assigned_staff_id'
    if (isLimited && !orAssigned) throw Forbidden()

    for (const ask of tries) {
      const row = await ask(db, visibility, ref, parameters)
      if (row) return row
    }
    throw isLimited ? Forbidden() : TicketNotFound()
  }
}

/** A query for one ticket by id or number, if the actor may see it; returns its one row. */
export function visibleTicketQuery<P extends object, R>(build: About<P, R>): Ask<P, R> {
  return byRef((column, tickets, p, db, boundVisibility) =>
    build(tickets.where(sql.ref(`tickets.${column}`), '=', p.ref), p, db, boundVisibility)
  )
}

type WithRef<P> = P & { ref: number | string }

function byRef<P extends object, R>(
  build: (column: 'id' | 'ticket_number', ...given: Parameters<About<WithRef<P>, R>>) => { compile(): CompiledQuery<R> }
): Ask<P, R> {
  const byId = preparedForVisible<WithRef<P>, R>((...given) => build('id', ...given))
  const byNumber = preparedForVisible<WithRef<P>, R>((...given) => build('ticket_number', ...given))

  return async (db, visibility, ref, parameters) => {
    const [row] =
      typeof ref === 'number'
        ? await byId(db, visibility, { ...parameters, ref })
        : await byNumber(db, visibility, { ...parameters, ref: ref.toUpperCase() })
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
function mergeTarget(db: Db, tickets: VisibleTickets, boundVisibility: BoundVisibility): LockedTicketQuery {
  const lasting = tickets.select(({ fn }) => fn.coalesce('tickets.merged_into_id', 'tickets.id').as('id'))
  return locked(db).where('locked.id', '=', sql<number>`(${lasting})`).where(isSeen(boundVisibility, 'locked'))
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
