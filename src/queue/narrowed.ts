import { sql } from 'kysely'
import { holds, type StaffActor } from '../actor.ts'
import type { Db } from '../db.ts'
import { Forbidden } from '../kit/errors.ts'
import {
  countsThrough,
  deskSight,
  type SeenCounts,
  type SeenTickets,
  type Sight,
  seenThrough
} from '../tickets/sight.ts'
import { areCounted, conditionsOf, type FilterValues, kindOf, type QueueQuery, valuesOf } from './queue-query.ts'

/** Where the database keeps no sum, counting goes no further: it would take longer than the page. */
const maxCounted = 10_000
/** Whether a text is in a ticket takes longer to tell than anything else. */
export const maxCountedOfSearch = 1_000

/** What stands for the values in a query for what fits. */
export type NarrowedValues = FilterValues & { staff: number; owner: number; departments: readonly number[] }

export type Total = ReturnType<typeof summedUp> | ReturnType<typeof counted>

/** What fits a query, of what its asker sees: a search, if there is one, comes on top. */
export interface Narrowed {
  /** All that the text of the queries depends on. */
  kind: unknown[]
  values: NarrowedValues
  tickets(db: Db, p: NarrowedValues): SeenTickets
  /** The query for how many there are: at most `countTo` unless the sums tell. */
  total(db: Db, p: NarrowedValues): Total
}

/**
 * The tickets that the actor sees and that fit the query; those that were merged into others, or lie in the trash, only where it asks
 * for these. To see the trash `tickets.delete` is needed (`Forbidden`).
 */
export function narrowed(actor: StaffActor, query: QueueQuery, countTo = maxCounted): Narrowed {
  const { trashed, merged, search: _, sort: __, direction: ___, ...filters } = query
  if (trashed && !holds(actor, 'tickets.delete')) throw Forbidden()
  const sight: Sight = { ...deskSight(actor), ...(trashed ? { trash: 'alone' } : {}) }
  const { owner, departments = [] } = sight
  const isMerged = merged ? 'is not' : 'is'

  const tickets = (db: Db, p: NarrowedValues) =>
    conditionsOf('tickets', filters, p).reduce<SeenTickets>(
      (found, condition) => found.where(condition),
      seenThrough(db, sight, p).where('tickets.merged_into_id', isMerged, null)
    )
  const sums = (db: Db, p: NarrowedValues) =>
    conditionsOf('ticket_counts', filters, p).reduce<SeenCounts>(
      (found, condition) => found.where(condition),
      countsThrough(db, sight, p)
    )
  const isSummedUp = areCounted(filters) && !trashed && !merged
  return {
    kind: [kindOf(filters), sight.column, sight.trash, !sight.departments, isMerged],
    values: { ...valuesOf(filters), staff: actor.id, owner, departments },
    tickets,
    total: (db, p) => (isSummedUp ? summedUp(sums(db, p)) : counted(db, tickets(db, p), countTo))
  }
}

function summedUp(counts: SeenCounts) {
  return counts.select(({ fn, lit }) => fn.coalesce(fn.sum<number>('tickets'), lit(0)).as('total'))
}

/** How many tickets these are, as far as it is counted. */
export function counted(db: Db, tickets: SeenTickets, countTo: number) {
  return db
    .selectFrom(tickets.select('tickets.id').limit(sql.lit(countTo)).as('fitting'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
}
