import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { type TicketVisibility, type VisibleTickets, visibleTickets } from '../ticket/visibility.ts'

/** What somebody may search: always the tickets that they see and their messages. */
export interface Scope {
  visibility: TicketVisibility
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

export function ownerOf({ visibility }: Scope): Owner {
  return { owner: visibility.owner, departments: visibility.departments ?? [] }
}

export function ownedBy(scope: Scope, { owner, departments }: Owner): Scope {
  const { visibility } = scope
  return { ...scope, visibility: { ...visibility, owner, departments: visibility.departments && departments } }
}

export function kindOf({ visibility, notes, clients }: Scope): string {
  return JSON.stringify([notes, clients, visibility.column, visibility.trash, visibility.departments !== undefined])
}

export function visibleTicketsIn(db: Db, { visibility, among }: Scope): VisibleTickets {
  const tickets = visibleTickets(db, visibility, { owner: visibility.owner, departments: visibility.departments ?? [] })
  return among ? tickets.where('tickets.id', '=', sql<number>`any(${among}::bigint[])`) : tickets
}
