import { type Expression, type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, preparedByKind, transaction } from '../../core/db.ts'
import { maxId } from '../../kit/schemas.ts'
import { ticketsWithWords } from '../search/tickets-with-words.ts'
import { type DueClock, dueClocks } from '../sla/shown-clock.ts'
import { wokenAt } from '../ticket/snooze-of.ts'
import type { VisibleTickets } from '../ticket/visibility.ts'
import { type CursorPosition, cursorOf, type Order, parseCursor } from './cursor.ts'
import { byDueTime } from './due-order.ts'
import {
  cappedCount,
  type FilterParameters,
  filteredTickets,
  maxCountedOfSearch,
  type Total
} from './filtered-tickets.ts'
import { type ListedRow, listedRows } from './listed-ticket.ts'
import type { QueueSelection } from './queue-query.ts'

interface Page {
  limit: number
  offset: number
  /** Instead of the offset: continues after the last row of a page, however many tickets have arrived since. */
  cursor?: string
}

interface Queue {
  tickets: ListedRow[]
  /** What is due first of each, by ticket id. */
  due: ReadonlyMap<number, DueClock>
  /** How many match: exact if the sums tell it, otherwise at most 10,000, with a search 1,000, by custom fields or ratings 500. */
  total: number
  /** Undefined on the last page. */
  nextCursor: string | undefined
}

/**
 * A page of the tickets that the actor sees and that fit at this moment (`filteredTickets`, which may throw `Forbidden`); `search`: see
 * `ticketsWithWords`.
 */
export async function queue(db: Db, actor: StaffActor, wanted: QueueSelection, page: Page, now: Date): Promise<Queue> {
  const { search, snoozed, sort = snoozed === 1 ? 'snoozed_until' : 'updated' } = wanted
  const { direction = usualDirection(sort) } = wanted
  const order: Order = { sort, direction }
  const { kind, values: fitting, tickets: matching, total } = filteredTickets(actor, wanted, now)
  const place = page.cursor === undefined ? undefined : parseCursor(page.cursor, order)
  const length = { limit: page.limit + 1, offset: place ? 0 : Math.min(page.offset, maxId) }
  const hasBack = sort === 'updated' && search === undefined
  const walk = { isBehind: place !== undefined, hasBack, reach: reachOf(length.offset + length.limit) }
  const values: Values = { ...fitting, ...length, key: place?.key ?? '', id: place?.id ?? 0 }

  if (search === undefined) {
    const rows = await pageByKind(db, values, JSON.stringify([kind, order, walk]), (db, p) =>
      pageOf(db, matching(db, p), total(db, p), order, walk, p)
    )
    const counted = rows[0] ?? (await totalByKind(db, fitting, JSON.stringify(kind), total))[0]!
    return await queueOf(db, rows, counted, order, page.limit, now)
  }
  return await transaction(db, async db => {
    const found = await ticketsWithWords(db, search)
    const tickets = found(matching(db, values))
    const total = cappedCount(db, newestFirst(tickets), maxCountedOfSearch)
    const rows = await pageOf(db, tickets, total, order, walk, values).execute()
    const counted = rows[0] ?? (await total.executeTakeFirstOrThrow())
    return await queueOf(db, rows, counted, order, page.limit, now)
  })
}

/**
 * How many tickets the actor sees that fit: exact if the database's sums tell it; otherwise counting stops at 1,000, since many
 * views may be counted at once. Throws what `filteredTickets` does.
 */
export async function countQueue(db: Db, actor: StaffActor, wanted: QueueSelection, now: Date): Promise<number> {
  const { search } = wanted
  const { kind, values, tickets, total } = filteredTickets(actor, wanted, now, maxCountedOfView)
  if (search === undefined) {
    const [counted] = await totalByKind(db, values, JSON.stringify(kind), total)
    return counted!.total
  }
  return await transaction(db, async db => {
    const found = await ticketsWithWords(db, search)
    const { total } = await cappedCount(
      db,
      newestFirst(found(tickets(db, values))),
      maxCountedOfSearch
    ).executeTakeFirstOrThrow()
    return total
  })
}

/** What is due or wakes first comes first; else what is newest or most urgent. */
function usualDirection(sort: Order['sort']): Order['direction'] {
  return sort === 'sla_due' || sort === 'snoozed_until' ? 'asc' : 'desc'
}

/** If many tickets match, the newest reach the limit soonest. */
function newestFirst(tickets: VisibleTickets): VisibleTickets {
  return tickets.orderBy('tickets.updated_at', 'desc').orderBy('tickets.id', 'desc')
}

const maxCountedOfView = 1_000

const totalByKind = preparedByKind<FilterParameters, { total: number }>()

/** The parameter values of the query. */
type Values = FilterParameters & CursorPosition & Length

interface Length {
  limit: number
  offset: number
}

/** A row with its sort key, and how many tickets fit; one row more than the page shows tells that another follows. */
type PageRow = ListedRow & { sort_key: string; total: number }

async function queueOf(
  db: Db,
  rows: PageRow[],
  { total }: { total: number },
  order: Order,
  limit: number,
  now: Date
): Promise<Queue> {
  const tickets = rows.slice(0, limit)
  const last = rows.length > limit ? tickets.at(-1) : undefined
  return {
    total,
    tickets,
    due: await dueClocks(db, tickets, now),
    nextCursor: last && cursorOf(order, { key: keyOf(order.sort, last.sort_key), id: last.id })
  }
}

const pageByKind = preparedByKind<Values, PageRow>()

/**
 * Where a page starts, after a row or at the beginning, whether tickets that are back from a snooze come as new, and how many rows are read at most.
 */
interface Walk {
  isBehind: boolean
  hasBack: boolean
  reach: number
}

/** Rounded up to a few steps, since each value is a prepared query of its own. */
function reachOf(last: number): number {
  return 64 * 4 ** Math.max(0, Math.ceil(Math.log(last / 64) / Math.log(4)))
}

/**
 * One statement: it finds the page first, and joins only its rows with the rest. The reach is literal, because a plan for any length would
 * sort all tickets rather than walk an index.
 */
function pageOf(
  db: Db,
  tickets: VisibleTickets,
  total: Total,
  order: Order,
  { isBehind, hasBack, reach }: Walk,
  p: Values
) {
  const walk = (tickets: VisibleTickets, key: RawBuilder<unknown>) =>
    (isBehind ? behind(tickets, key, order, p) : tickets)
      .select(['tickets.id', key.as('sort')])
      .orderBy('sort', order.direction)
      .orderBy('tickets.id', order.direction)
      .limit(sql.lit(reach))
  const withinOf = (): Within => {
    if (order.sort === 'sla_due') {
      const after = isBehind ? p : undefined
      return sql`${byDueTime(db, tickets, order.direction, { after, reach: sql.lit(reach) })}`
    }
    const key = sortColumns[order.sort]
    return hasBack ? withBack(tickets, walk, key) : sql`${walk(tickets, key)}`
  }
  const within = withinOf()
  const page = db
    .selectFrom(within.as('within'))
    .select(['within.id', 'within.sort'])
    .orderBy('within.sort', order.direction)
    .orderBy('within.id', order.direction)
    .limit(p.limit)
    .offset(p.offset)
  return listedRows(db.with('page', () => page).selectFrom('tickets'), p.staff)
    .innerJoin(sql<{ id: number; sort: unknown }>`page`.as('page'), 'page.id', 'tickets.id')
    .select([sortTexts[order.sort].as('sort_key'), sql<number>`(${total})`.as('total')])
    .orderBy('page.sort', order.direction)
    .orderBy('page.id', order.direction)
}

const rank = sql`case tickets.priority when 'Critical' then 4 when 'High' then 3 when 'Medium' then 2 else 1 end`

/** A time that no snooze reaches: until the client writes. */
const endless = sql`timestamptz '9999-01-01T00:00:00Z'`
const wakesAt = sql`coalesce((
  select coalesce(until, ${endless}) from snoozes where snoozes.ticket_id = tickets.id and woken_at is null), timestamptz 'epoch')`

const sortColumns = {
  updated: sql.ref('tickets.updated_at'),
  created: sql.ref('tickets.created_at'),
  priority: rank,
  snoozed_until: wakesAt
}

const moment = sql<string>`(page.sort at time zone 'UTC')::text`
const sortTexts = {
  updated: moment,
  created: moment,
  priority: sql<string>`page.sort::text`,
  snoozed_until: moment,
  sla_due: moment
}

/** The key of a cursor, to the microsecond. */
function keyOf(sort: Order['sort'], text: string): string {
  return sort === 'priority' || text.endsWith('infinity')
    ? text
    : `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(6, '0')}Z`
}

type Within = RawBuilder<{ id: number; sort: unknown }>

/**
 * A ticket that is back from its snooze is as new as that, although its row is as it was. Few are, and they are walked apart, so that an index gives the
 * order of the others.
 */
function withBack(
  tickets: VisibleTickets,
  walk: (tickets: VisibleTickets, key: RawBuilder<unknown>) => Expression<unknown>,
  key: RawBuilder<unknown>
): Within {
  const isBack = sql<boolean>`exists (
    select from snoozes as back where back.ticket_id = tickets.id and back.woken_at is not null)`
  const others = walk(tickets.where(sql<boolean>`not ${isBack}`), key)
  const back = walk(tickets.where(isBack), sql`greatest(${key}, ${wokenAt})`)
  return sql`(${others} union all ${back})`
}

function behind(
  tickets: VisibleTickets,
  column: RawBuilder<unknown>,
  { sort, direction }: Order,
  { key, id }: CursorPosition
): VisibleTickets {
  const value = sort === 'priority' ? sql`${key}::integer` : sql`${key}::timestamptz`
  const comparison = direction === 'desc' ? sql`<` : sql`>`
  return tickets.where(sql<boolean>`(${column}, tickets.id) ${comparison} (${value}, ${id}::bigint)`)
}
