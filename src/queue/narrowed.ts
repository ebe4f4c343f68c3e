import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../actor.ts'
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

/** Without a sum in the database, counting stops here: more would take longer than the page. */
const maxCounted = 10_000
/** A full-text match is the most expensive check per ticket. */
export const maxCountedOfSearch = 1_000

/** The parameter values of a filtered query. */
export type NarrowedValues = FilterValues & { staff: number; owner: number; departments: readonly number[] }

export type Total = ReturnType<typeof summedUp> | ReturnType<typeof counted>

/** A filtered query within the actor's sight; a search is applied on top. */
export interface Narrowed {
  /** All that the text of the query depends on. */
  kind: unknown[]
  values: NarrowedValues
  tickets(db: Db, p: NarrowedValues): SeenTickets
  /** The query for the total: at most `countTo` unless the sums tell it. */
  total(db: Db, p: NarrowedValues): Total
}

/**
 * The tickets that the actor sees and that match the query; merged ones or those in the trash only if asked for. The trash needs
 * `tickets.delete` (`Forbidden`).
 */
export function narrowed(actor: StaffActor, query: QueueQuery, countTo = maxCounted): Narrowed {
  const { trashed, merged, search: _, sort: __, direction: ___, ...filters } = query
  if (trashed && !hasPermission(actor, 'tickets.delete')) throw Forbidden()
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

/** How many tickets these are, up to `countTo`. */
export function counted(db: Db, tickets: SeenTickets, countTo: number) {
  return db
    .selectFrom(tickets.select('tickets.id').limit(sql.lit(countTo)).as('fitting'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
}
