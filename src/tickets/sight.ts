import type { CompiledQuery, SelectQueryBuilder } from 'kysely'
import { type Actor, holds } from '../actor.ts'
import type { Permission } from '../permissions.ts'
import type { Db } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Tables } from '../platform/db/tables.ts'

/** Which tickets exist for somebody: those of one client, those assigned to one staff member, or all. */
export interface Sight {
  column: 'client_id' | 'assigned_staff_id' | undefined
  owner: number
}

/** A client's own tickets; for staff the assigned ones (decisions 25 and 27). */
export function ownTickets(actor: Actor): Sight {
  return { column: actor.population === 'client' ? 'client_id' : 'assigned_staff_id', owner: actor.id }
}

/** All tickets for staff who hold the permission, else one's own. */
export function ticketsWith(actor: Actor, permission: Permission): Sight {
  return holds(actor, permission) ? { column: undefined, owner: actor.id } : ownTickets(actor)
}

export type SeenTickets = SelectQueryBuilder<Tables, 'tickets', object>

/**
 * A query that starts from the tickets somebody may see, prepared once for each kind of sight. Every reading and writing of a
 * ticket goes through here, so that what they may not see does not exist for any of them.
 */
export function throughSight<P extends object, R>(
  build: (tickets: SeenTickets, p: P, db: Db) => { compile(): CompiledQuery<R> }
): (db: Db, sight: Sight, parameters: P) => Promise<R[]> {
  const forOwnerIn = (column: 'client_id' | 'assigned_staff_id') =>
    prepared((db, p: P & { owner: number }) =>
      build(db.selectFrom('tickets').where(`tickets.${column}`, '=', p.owner), p, db)
    )
  const ofClient = forOwnerIn('client_id')
  const assigned = forOwnerIn('assigned_staff_id')
  const all = prepared((db, p: P) => build(db.selectFrom('tickets'), p, db))

  return async (db, { column, owner }, parameters) => {
    if (column === undefined) return await all(db, parameters)
    return await (column === 'client_id' ? ofClient : assigned)(db, { ...parameters, owner })
  }
}
