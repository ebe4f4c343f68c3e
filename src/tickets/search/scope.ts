import type { Db } from '../../core/db.ts'
import { type TicketVisibility, type VisibleTickets, visibleTickets } from '../ticket/visibility.ts'

/** What somebody may search: always the tickets that they see and their messages. */
export interface Scope {
  visibility: TicketVisibility
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

export function kindOf({ visibility, notes, clients }: Scope): string {
  return JSON.stringify([notes, clients, visibility.column, visibility.trash, visibility.departments !== undefined])
}

export function visibleTicketsIn(db: Db, scope: Scope, owner: Owner = ownerOf(scope)): VisibleTickets {
  return visibleTickets(db, scope.visibility, owner)
}
