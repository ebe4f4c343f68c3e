import { type RawBuilder, sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { Forbidden } from '../../kit/errors.ts'
import { type CompiledConditions, compileToSql } from '../conditions/compile-to-sql.ts'
import { fieldNamed } from '../conditions/fields.ts'
import type { Conditions } from '../conditions/schemas.ts'
import { isSnoozed } from '../ticket/snooze-of.ts'
import {
  deskVisibility,
  type TicketVisibility,
  type VisibleCounts,
  type VisibleTickets,
  visibleCounts,
  visibleTickets
} from '../ticket/visibility.ts'
import { compiledDueFilter } from './due-filter.ts'
import type { QueueSelection } from './queue-query.ts'

/** Without a sum in the database, counting stops here: more would take longer than the page. */
const maxCounted = 10_000
/** A full-text match is the most expensive check per ticket. */
export const maxCountedOfSearch = 1_000
/** By custom fields or ratings each ticket that is counted is looked at: more would take longer than the page. */
const maxCountedBeside = 500

/** The parameter values of a filtered query. */
export type FilterParameters = Readonly<Record<string, unknown>> & {
  staff: number
  owner: number
  departments: readonly number[]
}

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
 * The tickets that the actor sees and that fit at this moment; merged ones, those in the trash and, unless somebody looks for one, snoozed ones only
 * if asked for. The trash needs `tickets.delete` (`Forbidden`).
 */
export function filteredTickets(
  actor: StaffActor,
  { conditions, sla_due, trashed, merged, snoozed: asked, search, indexed }: QueueSelection,
  now: Date,
  countTo?: number
): FilteredTickets {
  if (trashed && !hasPermission(actor, 'tickets.delete')) throw Forbidden({ lacks: ['tickets.delete'] })
  const visibility: TicketVisibility = { ...deskVisibility(actor), ...(trashed ? { trash: 'alone' } : {}) }
  const { owner, departments = [] } = visibility
  const isMerged = merged ? 'is not' : 'is'
  // Whoever looks for a ticket, or at those of one client, finds the snoozed ones too.
  const isLookUp = search !== undefined || isOfClients(conditions) || trashed || merged
  const snoozed = asked ?? (isLookUp ? 'any' : 0)
  const fitting = compileToSql(conditions, now, indexed?.page)
  const counted = indexed ? compileToSql(conditions, now, indexed.total) : fitting
  const isBeside = conditions.all.some(({ any }) => any.some(({ field }) => fieldNamed(field)?.isBeside))
  const most = countTo ?? (isBeside ? maxCountedBeside : maxCounted)
  const due = sla_due && compiledDueFilter(sla_due, now)

  const ticketsOf = (conditions: CompiledConditions, db: Db, p: FilterParameters) =>
    [...conditions.of('tickets', p), ...snoozedIs(snoozed), ...(due ? [due.fits(p)] : [])].reduce<VisibleTickets>(
      (found, condition) => found.where(condition),
      visibleTickets(db, visibility, p).where('tickets.merged_into_id', isMerged, null)
    )
  const sums = (db: Db, p: FilterParameters) =>
    fitting
      .of('ticket_counts', p)
      .reduce<VisibleCounts>(
        (found, condition) => found.where(condition),
        visibleCounts(db, visibility, p, { without: snoozed === 0 ? 'snoozed' : undefined })
      )
  const isSummedUp = fitting.areCounted && !due && !trashed && !merged && snoozed !== 1
  return {
    kind: [
      ...[
        fitting.kind,
        counted.kind,
        due?.kind,
        visibility.column,
        visibility.trash,
        !visibility.departments,
        isMerged,
        snoozed
      ],
      most
    ],
    values: { ...fitting.values, ...counted.values, ...due?.values, staff: actor.id, owner, departments },
    tickets: (db, p) => ticketsOf(fitting, db, p),
    total: (db, p) => (isSummedUp ? summedUp(sums(db, p)) : cappedCount(db, ticketsOf(counted, db, p), most))
  }
}

/** Whether they are about certain clients alone. */
function isOfClients({ all }: Conditions): boolean {
  return all.some(({ any }) => any.every(({ field, op }) => field === 'client_id' && (op === 'is' || op === 'in')))
}

function snoozedIs(snoozed: 0 | 1 | 'any'): RawBuilder<boolean>[] {
  if (snoozed === 'any') return []
  return [snoozed === 1 ? isSnoozed : sql`not ${isSnoozed}`]
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
