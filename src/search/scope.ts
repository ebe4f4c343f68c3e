import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { type SeenTickets, type Sight, seenThrough } from '../tickets/sight.ts'

/** What somebody may search: always the tickets that they see and their messages. */
export interface Scope {
  sight: Sight
  /** Restricts the search to these of the visible tickets. */
  among?: readonly number[]
  notes: boolean
  /** Clients: all, only those of visible tickets, or none. */
  clients: 'all' | 'seen' | 'none'
}

/** What differs between scopes of the same kind, as parameters of a prepared query. */
export interface Owner {
  owner: number
  departments: readonly number[]
}

export function ownerOf({ sight }: Scope): Owner {
  return { owner: sight.owner, departments: sight.departments ?? [] }
}

export function ownedBy(scope: Scope, { owner, departments }: Owner): Scope {
  const { sight } = scope
  return { ...scope, sight: { ...sight, owner, departments: sight.departments && departments } }
}

export function kindOf({ sight, notes, clients }: Scope): string {
  return JSON.stringify([notes, clients, sight.column, sight.trash, sight.departments !== undefined])
}

export function seenTickets(db: Db, { sight, among }: Scope): SeenTickets {
  const tickets = seenThrough(db, sight, { owner: sight.owner, departments: sight.departments ?? [] })
  return among ? tickets.where('tickets.id', '=', sql<number>`any(${among}::bigint[])`) : tickets
}
