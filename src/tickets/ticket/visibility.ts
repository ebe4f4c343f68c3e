import { type CompiledQuery, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import {
  type Actor,
  type ClientActor,
  type DeskActor,
  hasPermission,
  type StaffActor,
  type SystemActor
} from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Tables } from '../../core/tables/tables.ts'

/** Which tickets an actor may see: those of one client or organisation, those assigned to one staff member, or all. */
export interface TicketVisibility {
  column: 'client_id' | 'organisation_id' | 'assigned_staff_id' | undefined
  owner: number
  /** Those of this organisation too, whose manager the client is. */
  organisation?: number | undefined
  /** Only tickets in these departments; undefined: in all. */
  departments: readonly number[] | undefined
  /** Whether tickets in the trash are included: none by default. */
  trash?: 'too' | 'alone'
  /** If `column` is the assignee: unassigned tickets are included too. */
  free?: true
}

/** A client's own tickets, without those of others that they manage; for staff the assigned ones (decisions 25 and 27); for the system all. */
export function ownTickets(actor: Actor | SystemActor): TicketVisibility {
  if (actor.population === 'system') return { column: undefined, owner: 0, departments: undefined }
  if (actor.population === 'client') return { column: 'client_id', owner: actor.id, departments: undefined }
  return { column: 'assigned_staff_id', owner: actor.id, departments: actor.departments }
}

/** All that a client sees: the own tickets and, for a manager, those of the organisation. */
export function clientVisibility({ id, managedOrganisation }: ClientActor): TicketVisibility {
  return { column: 'client_id', owner: id, organisation: managedOrganisation, departments: undefined }
}

/** The tickets that the people of this organisation opened while they belonged to it. */
export function ticketsOfOrganisation(id: number): TicketVisibility {
  return { column: 'organisation_id', owner: id, departments: undefined }
}

/** All tickets for staff with the permission, otherwise their own. */
export function ticketsWith(actor: Actor | SystemActor, permission: Permission): TicketVisibility {
  if (actor.population === 'client') return clientVisibility(actor)
  const own = ownTickets(actor)
  return hasPermission(actor, permission) ? { ...own, column: undefined } : own
}

/** The tickets that staff see: all with `tickets.view_all`, otherwise their own; within their departments. The system sees all. */
export function deskVisibility(actor: DeskActor): TicketVisibility {
  return ticketsWith(actor, 'tickets.view_all')
}

/** What staff see in a ticket's detail, and so in its events: trashed tickets only with the permission to delete. */
export function readerVisibility(actor: DeskActor): TicketVisibility {
  return { ...deskVisibility(actor), ...(hasPermission(actor, 'tickets.delete') ? { trash: 'too' } : {}) }
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

/** The same for the counts of tickets that are not snoozed, without reading the others: see `visibleCounts`. */
export function preparedForVisibleCounts<P extends object, R>(build: Build<VisibleCounts, P, R>) {
  return preparedByVisibility((db, visibility, p) => visibleCounts(db, visibility, p, { without: 'snoozed' }), build)
}

type Build<S, P, R> = (seen: S, p: P, db: Db, boundVisibility: BoundVisibility) => { compile(): CompiledQuery<R> }

function preparedByVisibility<S, P extends object, R>(
  through: (db: Db, visibility: TicketVisibility, p: ScopeParameters) => S,
  build: Build<S, P, R>
): (db: Db, visibility: TicketVisibility, parameters: P) => Promise<R[]> {
  type Scoped = P & ScopeParameters
  const queries = new Map<string, (db: Db, parameters: Scoped) => Promise<R[]>>()

  return async (db, visibility, parameters) => {
    const { owner, departments, organisation } = visibility
    const kind = kindOfVisibility(visibility)
    const query =
      queries.get(kind) ?? prepared((db, p: Scoped) => build(through(db, visibility, p), p, db, { visibility, p }))
    queries.set(kind, query)
    return await query(db, { ...parameters, owner, organisation, departments: departments ?? [] })
  }
}

/** All of a visibility that the text of a query depends on. */
export function kindOfVisibility({ column, trash, free, departments, organisation }: TicketVisibility): string {
  return `${column} ${organisation !== undefined} ${trash} ${free} ${departments !== undefined}`
}

export interface ScopeParameters {
  owner: number
  organisation?: number | undefined
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

/**
 * The same for a ticket that was merged into a visible one: staff see all of those. It may have come at another address than the ticket that it
 * was merged into, or while its client belonged to another organisation.
 */
export function isPartSeen(boundVisibility: BoundVisibility, name: string): RawBuilder<boolean> {
  return isForClient(boundVisibility.visibility)
    ? isSeen({ ...boundVisibility, visibility: { ...boundVisibility.visibility, trash: 'too' } }, name)
    : sql.lit(true)
}

/** Whether it is what a client sees, on the portal. */
export function isForClient({ column }: Pick<TicketVisibility, 'column'>): boolean {
  return column === 'client_id' || column === 'organisation_id'
}

function conditionsOf({ visibility, p }: BoundVisibility, name: string): RawBuilder<boolean>[] {
  const { column, organisation, departments, trash, free } = visibility
  const of = (column: string) => sql.ref(`${name}.${column}`)
  const conditions: RawBuilder<boolean>[] = []
  if (trash === 'alone') conditions.push(sql`${of('trashed_at')} is not null`)
  else if (trash === undefined) conditions.push(sql`${of('trashed_at')} is null`)
  if (column && free) {
    const isFree = sql`${of('assigned_staff_id')} is null and ${of('merged_into_id')} is null`
    conditions.push(sql`(${of(column)} = ${p.owner} or (${isFree}))`)
  } else if (column && organisation !== undefined) {
    conditions.push(sql`(${of(column)} = ${p.owner} or ${of('organisation_id')} = ${p.organisation})`)
  } else if (column) conditions.push(sql`${of(column)} = ${p.owner}`)
  if (departments) conditions.push(sql`${of('department_id')} = any(${p.departments}::bigint[])`)
  if (isForClient(visibility)) conditions.push(isOfProvenAddress(name))
  return conditions
}

/**
 * Whether the client has proven the address by which this ticket or message came (`client_email`). Whoever signs up with an address claims it only,
 * so that the account shows nothing that came by e-mail or by the form before its owner has typed a code or set the password by a link that was
 * e-mailed there. An address that is changed is a claim again, and what came for it belongs to whoever has it: later addresses do not open it.
 * The managers of an organisation see no more than the ticket's own client.
 * `name`: the alias of the ticket or message; `ticket`: that of its ticket.
 */
export function isOfProvenAddress(name: string, ticket = name): RawBuilder<boolean> {
  const email = sql.ref(`${name}.client_email`)
  return sql<boolean>`(${email} is null or exists (
    select from clients as owner where owner.id = ${sql.ref(`${ticket}.client_id`)} and owner.is_email_verified
      and (lower(owner.email) = ${email} or ${email} = any(owner.former_emails))))`
}

/** Whether this kind of visibility includes a message, under this name, of a visible ticket in `tickets`: staff see all. */
export function isMessageSeen(visibility: Pick<TicketVisibility, 'column'>, message: string): RawBuilder<boolean> {
  return isForClient(visibility) ? isOfProvenAddress(message, 'tickets') : sql.lit(true)
}

/**
 * Ticket counts of this kind of visibility by department, status and assignee, without those in the trash or merged, from the sums that the
 * database keeps. There are no sums by client.
 */
export function visibleCounts(
  db: Db,
  { column, departments }: TicketVisibility,
  p: ScopeParameters,
  { without }: { without?: 'snoozed' | undefined } = {}
): VisibleCounts {
  if (column === 'client_id' || column === 'organisation_id') {
    throw new Error('The tickets of a client are counted one by one')
  }
  let counts: VisibleCounts = without ? db.selectFrom(unsnoozedCounts) : db.selectFrom('ticket_counts')
  if (column) counts = counts.where(`ticket_counts.${column}`, '=', p.owner)
  if (departments) {
    counts = counts.where('ticket_counts.department_id', '=', sql<number>`any(${p.departments}::bigint[])`)
  }
  return counts
}

/** The sums, less one for each snoozed ticket: few are, so that no sums are kept of them. */
const unsnoozedCounts = sql<Selectable<Tables['ticket_counts']>>`(
  select id, department_id, status, assigned_staff_id, tickets, is_sum from ticket_counts
  union all select 0, department_id, status, assigned_staff_id, -1, false
  from snoozes join tickets on tickets.id = ticket_id
  where woken_at is null and trashed_at is null and merged_into_id is null)`.as('ticket_counts')
