import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { Forbidden } from '../../kit/errors.ts'
import {
  deskVisibility,
  type TicketVisibility,
  type VisibleCounts,
  type VisibleTickets,
  visibleCounts,
  visibleTickets
} from '../ticket/visibility.ts'
import { areCounted, conditionsOf, type FilterValues, kindOf, type QueueQuery, valuesOf } from './queue-query.ts'

/** Without a sum in the database, counting stops here: more would take longer than the page. */
const maxCounted = 10_000
/** A full-text match is the most expensive check per ticket. */
export const maxCountedOfSearch = 1_000

/** The parameter values of a filtered query. */
export type FilterParameters = FilterValues & { staff: number; owner: number; departments: readonly number[] }

export type Total = ReturnType<typeof summedUp> | ReturnType<typeof cappedCount>

/** A filtered query within the actor's visibility; a search is applied on top. */
export interface FilteredTickets {
  /** All that the text of the query depends on. */
  kind: unknown[]
  values: FilterParameters
  tickets(db: Db, p: FilterParameters): VisibleTickets
  /** The query for the total: at most `countTo` unless the sums tell it. */
  total(db: Db, p: FilterParameters): Total
}

/**
 * The tickets that the actor sees and that match the query; merged ones or those in the trash only if asked for. The trash needs
 * `tickets.delete` (`Forbidden`).
 */
export function filteredTickets(actor: StaffActor, query: QueueQuery, countTo = maxCounted): FilteredTickets {
  const { trashed, merged, search: _, sort: __, direction: ___, ...filters } = query
  if (trashed && !hasPermission(actor, 'tickets.delete')) throw Forbidden()
  const visibility: TicketVisibility = { ...deskVisibility(actor), ...(trashed ? { trash: 'alone' } : {}) }
  const { owner, departments = [] } = visibility
  const isMerged = merged ? 'is not' : 'is'

  const tickets = (db: Db, p: FilterParameters) =>
    conditionsOf('tickets', filters, p).reduce<VisibleTickets>(
      (found, condition) => found.where(condition),
      visibleTickets(db, visibility, p).where('tickets.merged_into_id', isMerged, null)
    )
  const sums = (db: Db, p: FilterParameters) =>
    conditionsOf('ticket_counts', filters, p).reduce<VisibleCounts>(
      (found, condition) => found.where(condition),
      visibleCounts(db, visibility, p)
    )
  const isSummedUp = areCounted(filters) && !trashed && !merged
  return {
    kind: [kindOf(filters), visibility.column, visibility.trash, !visibility.departments, isMerged],
    values: { ...valuesOf(filters), staff: actor.id, owner, departments },
    tickets,
    total: (db, p) => (isSummedUp ? summedUp(sums(db, p)) : cappedCount(db, tickets(db, p), countTo))
  }
}

function summedUp(counts: VisibleCounts) {
  return counts.select(({ fn, lit }) => fn.coalesce(fn.sum<number>('tickets'), lit(0)).as('total'))
}

/** How many tickets these are, up to `countTo`. */
export function cappedCount(db: Db, tickets: VisibleTickets, countTo: number) {
  return db
    .selectFrom(tickets.select('tickets.id').limit(sql.lit(countTo)).as('fitting'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
}
