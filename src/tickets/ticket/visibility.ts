import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Actor, type DeskActor, hasPermission, type StaffActor, type SystemActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Tables } from '../../core/tables/tables.ts'

/** Which tickets an actor may see: those of one client, those assigned to one staff member, or all. */
export interface TicketVisibility {
  column: 'client_id' | 'assigned_staff_id' | undefined
  owner: number
  /** Only tickets in these departments; undefined: in all. */
  departments: readonly number[] | undefined
  /** Whether tickets in the trash are included: none by default. */
  trash?: 'too' | 'alone'
  /** If `column` is the assignee: unassigned tickets are included too. */
  free?: true
}

/** A client's own tickets; for staff the assigned ones (decisions 25 and 27); for the system all. */
export function ownTickets(actor: Actor | SystemActor): TicketVisibility {
  if (actor.population === 'system') return { column: undefined, owner: 0, departments: undefined }
  if (actor.population === 'client') return { column: 'client_id', owner: actor.id, departments: undefined }
  return { column: 'assigned_staff_id', owner: actor.id, departments: actor.departments }
}

/** All tickets for staff with the permission, otherwise their own. */
export function ticketsWith(actor: Actor | SystemActor, permission: Permission): TicketVisibility {
  const own = ownTickets(actor)
  return hasPermission(actor, permission) ? { ...own, column: undefined } : own
}

/** The tickets that staff see: all with `tickets.view_all`, otherwise their own; within their departments. The system sees all. */
export function deskVisibility(actor: DeskActor): TicketVisibility {
  return ticketsWith(actor, 'tickets.view_all')
}

/** Whether a staff member sees every ticket of every department. */
export function seesAllTickets(actor: StaffActor): boolean {
  const { column, departments } = deskVisibility(actor)
  return column === undefined && departments === undefined
}

export type VisibleTickets = SelectQueryBuilder<Tables, 'tickets', object>
export type VisibleCounts = SelectQueryBuilder<Tables, 'ticket_counts', object>

/**
 * A query on the tickets that an actor may see, prepared once for each kind of visibility. Every read and write of a ticket goes through here,
 * so that tickets they may not see do not exist for any of them.
 */
export function preparedForVisible<P extends object, R>(build: Build<VisibleTickets, P, R>) {
  return preparedByVisibility(visibleTickets, build)
}

/** The same for counts, without reading tickets: see `visibleCounts`. */
export function preparedForVisibleCounts<P extends object, R>(build: Build<VisibleCounts, P, R>) {
  return preparedByVisibility(visibleCounts, build)
}

type Build<S, P, R> = (seen: S, p: P, db: Db, boundVisibility: BoundVisibility) => { compile(): CompiledQuery<R> }

function preparedByVisibility<S, P extends object, R>(
  through: (db: Db, visibility: TicketVisibility, p: ScopeParameters) => S,
  build: Build<S, P, R>
): (db: Db, visibility: TicketVisibility, parameters: P) => Promise<R[]> {
  type Scoped = P & ScopeParameters
  const queries = new Map<string, (db: Db, parameters: Scoped) => Promise<R[]>>()

  return async (db, visibility, parameters) => {
    const { column, owner, departments, trash, free } = visibility
    const kind = `${column} ${trash} ${free} ${departments !== undefined}`
    const query =
      queries.get(kind) ?? prepared((db, p: Scoped) => build(through(db, visibility, p), p, db, { visibility, p }))
    queries.set(kind, query)
    return await query(db, { ...parameters, owner, departments: departments ?? [] })
  }
}

interface ScopeParameters {
  owner: number
  departments: readonly number[]
}

/** The visibility that a query is built for: its kind, and the parameters that differ within the kind. */
export interface BoundVisibility {
  visibility: TicketVisibility
  p: ScopeParameters
}

/** The tickets within this kind of visibility; its values are parameters, so that one query fits all of the kind. */
export function visibleTickets(db: Db, visibility: TicketVisibility, p: ScopeParameters): VisibleTickets {
  return conditionsOf({ visibility, p }, 'tickets').reduce<VisibleTickets>(
    (tickets, condition) => tickets.where(condition),
    db.selectFrom('tickets')
  )
}

/**
 * Whether this visibility includes the ticket with this alias in the query. Code that reaches a ticket through another one, such as the target
 * of a merge, checks that one as well.
 */
export function isSeen(boundVisibility: BoundVisibility, name: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join([sql.lit(true), ...conditionsOf(boundVisibility, name)], sql` and `)})`
}

function conditionsOf(
  { visibility: { column, departments, trash, free }, p }: BoundVisibility,
  name: string
): RawBuilder<boolean>[] {
  const of = (column: string) => sql.ref(`${name}.${column}`)
  const conditions: RawBuilder<boolean>[] = []
  if (trash === 'alone') conditions.push(sql`${of('trashed_at')} is not null`)
  else if (trash === undefined) conditions.push(sql`${of('trashed_at')} is null`)
  if (column && free) {
    const isFree = sql`${of('assigned_staff_id')} is null and ${of('merged_into_id')} is null`
    conditions.push(sql`(${of(column)} = ${p.owner} or (${isFree}))`)
  } else if (column) conditions.push(sql`${of(column)} = ${p.owner}`)
  if (departments) conditions.push(sql`${of('department_id')} = any(${p.departments}::bigint[])`)
  if (column === 'client_id') conditions.push(isOfProvenAddress(name))
  return conditions
}

/**
 * Whether the client has proven the address by which this ticket or message came (`client_email`). Whoever signs up with an address claims it only,
 * so that the account shows nothing that came by e-mail or by the form before its owner has typed a code or set the password by a link that was
 * e-mailed there. An address that is changed is a claim again, and what came for it belongs to whoever has it: later addresses do not open it.
 * `name`: the alias of the ticket or message; `ticket`: that of its ticket.
 */
export function isOfProvenAddress(name: string, ticket = name): RawBuilder<boolean> {
  const email = sql.ref(`${name}.client_email`)
  return sql<boolean>`(${email} is null or exists (
    select from clients as owner where owner.id = ${sql.ref(`${ticket}.client_id`)} and owner.is_email_verified
      and (lower(owner.email) = ${email} or ${email} = any(owner.former_emails))))`
}

/** Whether this kind of visibility includes a message of a visible ticket, both under these names: staff see all. */
export function isMessageSeen(
  { column }: Pick<TicketVisibility, 'column'>,
  message: string,
  ticket = 'tickets'
): RawBuilder<boolean> {
  return column === 'client_id' ? isOfProvenAddress(message, ticket) : sql.lit(true)
}

/**
 * Ticket counts of this kind of visibility by department, status and assignee, without those in the trash or merged, from the sums that the
 * database keeps. There are no sums by client.
 */
export function visibleCounts(db: Db, { column, departments }: TicketVisibility, p: ScopeParameters): VisibleCounts {
  if (column === 'client_id') throw new Error('The tickets of a client are counted one by one')
  let counts: VisibleCounts = db.selectFrom('ticket_counts')
  if (column) counts = counts.where(`ticket_counts.${column}`, '=', p.owner)
  if (departments) {
    counts = counts.where('ticket_counts.department_id', '=', sql<number>`any(${p.departments}::bigint[])`)
  }
  return counts
}
