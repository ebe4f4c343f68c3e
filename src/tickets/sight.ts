import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Actor, type DeskActor, hasPermission, type StaffActor, type SystemActor } from '../actor.ts'
import { type Db, prepared } from '../db.ts'
import type { Permission } from '../permissions.ts'
import type { Tables } from '../tables/tables.ts'

/** Which tickets an actor may see: those of one client, those assigned to one staff member, or all. */
export interface Sight {
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
export function ownTickets(actor: Actor | SystemActor): Sight {
  if (actor.population === 'system') return { column: undefined, owner: 0, departments: undefined }
  if (actor.population === 'client') return { column: 'client_id', owner: actor.id, departments: undefined }
  return { column: 'assigned_staff_id', owner: actor.id, departments: actor.departments }
}

/** All tickets for staff with the permission, otherwise their own. */
export function ticketsWith(actor: Actor | SystemActor, permission: Permission): Sight {
  const own = ownTickets(actor)
  return hasPermission(actor, permission) ? { ...own, column: undefined } : own
}

/** The tickets that staff see: all with `tickets.view_all`, otherwise their own; within their departments. The system sees all. */
export function deskSight(actor: DeskActor): Sight {
  return ticketsWith(actor, 'tickets.view_all')
}

/** Whether a staff member sees every ticket of every department. */
export function seesAllTickets(actor: StaffActor): boolean {
  const { column, departments } = deskSight(actor)
  return column === undefined && departments === undefined
}

export type SeenTickets = SelectQueryBuilder<Tables, 'tickets', object>
export type SeenCounts = SelectQueryBuilder<Tables, 'ticket_counts', object>

/**
 * A query on the tickets that an actor may see, prepared once for each kind of sight. Every read and write of a ticket goes through here,
 * so that tickets they may not see do not exist for any of them.
 */
export function throughSight<P extends object, R>(build: Build<SeenTickets, P, R>) {
  return preparedBySight(seenThrough, build)
}

/** The same for counts, without reading tickets: see `countsThrough`. */
export function countsThroughSight<P extends object, R>(build: Build<SeenCounts, P, R>) {
  return preparedBySight(countsThrough, build)
}

type Build<S, P, R> = (seen: S, p: P, db: Db, seer: Seer) => { compile(): CompiledQuery<R> }

function preparedBySight<S, P extends object, R>(
  through: (db: Db, sight: Sight, p: ScopeParameters) => S,
  build: Build<S, P, R>
): (db: Db, sight: Sight, parameters: P) => Promise<R[]> {
  type Scoped = P & ScopeParameters
  const queries = new Map<string, (db: Db, parameters: Scoped) => Promise<R[]>>()

  return async (db, sight, parameters) => {
    const { column, owner, departments, trash, free } = sight
    const kind = `${column} ${trash} ${free} ${departments !== undefined}`
    const query = queries.get(kind) ?? prepared((db, p: Scoped) => build(through(db, sight, p), p, db, { sight, p }))
    queries.set(kind, query)
    return await query(db, { ...parameters, owner, departments: departments ?? [] })
  }
}

interface ScopeParameters {
  owner: number
  departments: readonly number[]
}

/** The sight that a query is built for: its kind, and the parameters that differ within the kind. */
export interface Seer {
  sight: Sight
  p: ScopeParameters
}

/** The tickets within this kind of sight; its values are parameters, so that one query fits all of the kind. */
export function seenThrough(db: Db, sight: Sight, p: ScopeParameters): SeenTickets {
  return conditionsOf({ sight, p }, 'tickets').reduce<SeenTickets>(
    (tickets, condition) => tickets.where(condition),
    db.selectFrom('tickets')
  )
}

/**
 * Whether this sight includes the ticket with this alias in the query. Code that reaches a ticket through another one, such as the target
 * of a merge, checks that one as well.
 */
export function isSeen(seer: Seer, name: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join([sql.lit(true), ...conditionsOf(seer, name)], sql` and `)})`
}

function conditionsOf({ sight: { column, departments, trash, free }, p }: Seer, name: string): RawBuilder<boolean>[] {
  const of = (column: string) => sql.ref(`${name}.${column}`)
  const conditions: RawBuilder<boolean>[] = []
  if (trash === 'alone') conditions.push(sql`${of('trashed_at')} is not null`)
  else if (trash === undefined) conditions.push(sql`${of('trashed_at')} is null`)
  if (column && free) {
    const isFree = sql`${of('assigned_staff_id')} is null and ${of('merged_into_id')} is null`
    conditions.push(sql`(${of(column)} = ${p.owner} or (${isFree}))`)
  } else if (column) conditions.push(sql`${of(column)} = ${p.owner}`)
  if (departments) conditions.push(sql`${of('department_id')} = any(${p.departments}::bigint[])`)
  return conditions
}

/**
 * Ticket counts of this kind of sight by department, status and assignee, without those in the trash or merged, from the sums that the
 * database keeps. There are no sums by client.
 */
export function countsThrough(db: Db, { column, departments }: Sight, p: ScopeParameters): SeenCounts {
  if (column === 'client_id') throw new Error('The tickets of a client are counted one by one')
  let counts: SeenCounts = db.selectFrom('ticket_counts')
  if (column) counts = counts.where(`ticket_counts.${column}`, '=', p.owner)
  if (departments) {
    counts = counts.where('ticket_counts.department_id', '=', sql<number>`any(${p.departments}::bigint[])`)
  }
  return counts
}
