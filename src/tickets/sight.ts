import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import { type Actor, holds } from '../actor.ts'
import type { Permission } from '../permissions.ts'
import type { Db } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Tables } from '../platform/db/tables.ts'

/** Which tickets exist for somebody: those of one client, those assigned to one staff member, or all. */
export interface Sight {
  column: 'client_id' | 'assigned_staff_id' | undefined
  owner: number
  /** Of those, only the ones in these departments; undefined: in all. */
  departments: readonly number[] | undefined
  /** Whether what lies in the trash is seen: nothing of it unless this says so. */
  trash?: 'too' | 'alone'
  /** Where `column` is that of the assignee: those that nobody has are seen too. */
  free?: true
}

/** A client's own tickets; for staff the assigned ones (decisions 25 and 27). */
export function ownTickets(actor: Actor): Sight {
  if (actor.population === 'client') return { column: 'client_id', owner: actor.id, departments: undefined }
  return { column: 'assigned_staff_id', owner: actor.id, departments: actor.departments }
}

/** All tickets for staff who hold the permission, else one's own. */
export function ticketsWith(actor: Actor, permission: Permission): Sight {
  const own = ownTickets(actor)
  return holds(actor, permission) ? { ...own, column: undefined } : own
}

export type SeenTickets = SelectQueryBuilder<Tables, 'tickets', object>
export type SeenCounts = SelectQueryBuilder<Tables, 'ticket_counts', object>

/**
 * A query that starts from the tickets somebody may see, prepared once for each kind of sight. Every reading and writing of a
 * ticket goes through here, so that what they may not see does not exist for any of them.
 */
export function throughSight<P extends object, R>(build: Build<SeenTickets, P, R>) {
  return preparedBySight(seenThrough, build)
}

/** The same of how many there are, without looking at any: see `countsThrough`. */
export function countsThroughSight<P extends object, R>(build: Build<SeenCounts, P, R>) {
  return preparedBySight(countsThrough, build)
}

type Build<S, P, R> = (seen: S, p: P, db: Db) => { compile(): CompiledQuery<R> }

function preparedBySight<S, P extends object, R>(
  through: (db: Db, sight: Sight, p: ScopeParameters) => S,
  build: Build<S, P, R>
): (db: Db, sight: Sight, parameters: P) => Promise<R[]> {
  type Scoped = P & ScopeParameters
  const queries = new Map<string, (db: Db, parameters: Scoped) => Promise<R[]>>()

  return async (db, sight, parameters) => {
    const { column, owner, departments, trash, free } = sight
    const kind = `${column} ${trash} ${free} ${departments !== undefined}`
    const query = queries.get(kind) ?? prepared((db, p: Scoped) => build(through(db, sight, p), p, db))
    queries.set(kind, query)
    return await query(db, { ...parameters, owner, departments: departments ?? [] })
  }
}

interface ScopeParameters {
  owner: number
  departments: readonly number[]
}

/** The tickets that this kind of sight sees; its parameters come apart, so that the query fits all of the kind. */
export function seenThrough(db: Db, { column, departments, trash, free }: Sight, p: ScopeParameters): SeenTickets {
  let tickets: SeenTickets = db.selectFrom('tickets')
  if (trash !== 'too') tickets = tickets.where('tickets.trashed_at', trash === 'alone' ? 'is not' : 'is', null)
  if (column && !free) tickets = tickets.where(`tickets.${column}`, '=', p.owner)
  if (column && free) {
    tickets = tickets.where(({ or, and, eb }) =>
      or([
        eb(`tickets.${column}`, '=', p.owner),
        and([eb('tickets.assigned_staff_id', 'is', null), eb('tickets.merged_into_id', 'is', null)])
      ])
    )
  }
  if (departments) tickets = tickets.where('tickets.department_id', '=', sql<number>`any(${p.departments}::bigint[])`)
  return tickets
}

/**
 * How many tickets this kind of sight sees, by department, status and assignee, of those that are neither in the trash nor merged away:
 * the sums that the database keeps. By client nothing is summed up.
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
