import type { Db } from '../../core/db.ts'
import {
  kindOfVisibility,
  type ScopeParameters,
  type TicketVisibility,
  type VisibleTickets,
  visibleTickets
} from '../ticket/visibility.ts'

/** What somebody may search: always the tickets that they see and their messages. */
export interface Scope {
  visibility: TicketVisibility
  notes: boolean
  /** Clients: all, only those of visible tickets, or none. */
  clients: 'all' | 'seen' | 'none'
}

/** What differs between scopes of the same kind, as parameters of a prepared query. */
export type Owner = ScopeParameters

export function ownerOf({ visibility }: Scope): Owner {
  const { owner, organisation, departments = [] } = visibility
  return { owner, organisation, departments }
}

export function kindOf({ visibility, notes, clients }: Scope): string {
  return JSON.stringify([notes, clients, kindOfVisibility(visibility)])
}

export function visibleTicketsIn(db: Db, scope: Scope, owner: Owner = ownerOf(scope)): VisibleTickets {
  return visibleTickets(db, scope.visibility, owner)
}
