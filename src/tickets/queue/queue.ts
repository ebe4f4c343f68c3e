import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, preparedByKind, transaction } from '../../core/db.ts'
import { maxId } from '../../kit/schemas.ts'
import { ticketsWithWords } from '../search/tickets-with-words.ts'
import type { VisibleTickets } from '../ticket/visibility.ts'
import { type CursorPosition, cursorOf, type Order, parseCursor } from './cursor.ts'
import {
  cappedCount,
  type FilterParameters,
  filteredTickets,
  maxCountedOfSearch,
  type Total
} from './filtered-tickets.ts'
import { type ListedRow, listedRows, type PageTag, tagsOfPage } from './listed-ticket.ts'
import type { QueueQuery } from './queue-query.ts'

interface Page {
  limit: number
  offset: number
  /** Instead of the offset: continues after the last row of a page, however many tickets have arrived since. */
  cursor?: string
}

interface Queue {
  tickets: ListedRow[]
  /** By ticket id. */
  tags: ReadonlyMap<number, PageTag[]>
  /** How many match: exact if the sums tell it, otherwise at most 10,000, with a search at most 1,000. */
  total: number
  /** Undefined on the last page. */
  nextCursor: string | undefined
}

/**
 * A page of the tickets that the actor sees and that match the query (`narrowed`, which may throw `Forbidden`); `search`: see
 * `ticketsWithWords`.
 */
export async function queue(db: Db, actor: StaffActor, query: QueueQuery, page: Page): Promise<Queue> {
  const { search, sort = 'updated', direction = 'desc' } = query
  const order: Order = { sort, direction }
  const { kind, values: fitting, tickets: matching, total } = filteredTickets(actor, query)
  const place = page.cursor === undefined ? undefined : parseCursor(page.cursor, order)
  const length = { limit: page.limit + 1, offset: place ? 0 : Math.min(page.offset, maxId) }
  const walk = { isBehind: place !== undefined, reach: reachOf(length.offset + length.limit) }
  const values: Values = { ...fitting, ...length, key: place?.key ?? '', id: place?.id ?? 0 }

  if (search === undefined) {
    const rows = await pageByKind(db, values, JSON.stringify([kind, order, walk]), (db, p) =>
      pageOf(db, matching(db, p), order, walk, p)
    )
    const [facts] = await factsByKind(db, { ...values, ids: idsOf(rows) }, JSON.stringify(kind), (db, p) =>
      factsOf(db, total(db, p), p.ids)
    )
    return queueOf(rows, facts!, order, page.limit)
  }
  return await transaction(db, async db => {
    const found = await ticketsWithWords(db, search)
    const tickets = found(matching(db, values))
    const rows = await pageOf(db, tickets, order, walk, values).execute()
    const total = cappedCount(db, newestFirst(tickets), maxCountedOfSearch)
    const facts = await factsOf(db, total, idsOf(rows)).executeTakeFirstOrThrow()
    return queueOf(rows, facts, order, page.limit)
  })
}

/**
 * How many tickets the actor sees that match the query: exact if the database's sums tell it; otherwise counting stops at 1,000, since many
 * views may be counted at once. Throws what `narrowed` does.
 */
export async function countQueue(db: Db, actor: StaffActor, query: QueueQuery): Promise<number> {
  const { search } = query
  const { kind, values, tickets, total } = filteredTickets(actor, query, maxCountedOfView)
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

/** A row with its sort key; one row more than the page shows tells that another follows. */
type PageRow = ListedRow & { sort_key: string }

/** What is asked once for a page: how many tickets match, and the tags of those that it shows. */
interface PageFacts {
  total: number
  tags: PageTag[] | null
}

function queueOf(rows: PageRow[], { total, tags }: PageFacts, order: Order, limit: number): Queue {
  const tickets = rows.slice(0, limit)
  const last = rows.length > limit ? tickets.at(-1) : undefined
  return {
    total,
    tickets,
    tags: Map.groupBy(tags ?? [], ({ ticket_id }) => ticket_id),
    nextCursor: last && cursorOf(order, { key: keyOf(order.sort, last.sort_key), id: last.id })
  }
}

function idsOf(rows: PageRow[]): number[] {
  return rows.map(({ id }) => id)
}

const factsByKind = preparedByKind<Values & { ids: number[] }, PageFacts>()

function factsOf(db: Db, total: Total, ids: number[]) {
  return db.selectNoFrom([sql<number>`(${total})`.as('total'), tagsOfPage(ids).as('tags')])
}

const pageByKind = preparedByKind<Values, PageRow>()

/** Where a page starts, after a row or at the beginning, and how many rows are read at most. */
interface Walk {
  isBehind: boolean
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
function pageOf(db: Db, tickets: VisibleTickets, order: Order, { isBehind, reach }: Walk, p: Values) {
  const within = (isBehind ? behind(tickets, order, p) : tickets)
    .select(['tickets.id', sortColumns[order.sort].as('sort')])
    .orderBy('sort', order.direction)
    .orderBy('tickets.id', order.direction)
    .limit(sql.lit(reach))
  const page = db
    .selectFrom(within.as('within'))
    .select(['within.id', 'within.sort'])
    .orderBy('within.sort', order.direction)
    .orderBy('within.id', order.direction)
    .limit(p.limit)
    .offset(p.offset)
  return listedRows(db.with('page', () => page).selectFrom('tickets'), p.staff)
    .innerJoin(sql<{ id: number; sort: unknown }>`page`.as('page'), 'page.id', 'tickets.id')
    .select(sortTexts[order.sort].as('sort_key'))
    .orderBy('page.sort', order.direction)
    .orderBy('page.id', order.direction)
}

const rank = sql`case tickets.priority when 'Critical' then 4 when 'High' then 3 when 'Medium' then 2 else 1 end`

const sortColumns = { updated: sql.ref('tickets.updated_at'), created: sql.ref('tickets.created_at'), priority: rank }

const moment = sql<string>`(page.sort at time zone 'UTC')::text`
const sortTexts = { updated: moment, created: moment, priority: sql<string>`page.sort::text` }

/** The key of a cursor, to the microsecond. */
function keyOf(sort: Order['sort'], text: string): string {
  return sort === 'priority' ? text : `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(6, '0')}Z`
}

function behind(tickets: VisibleTickets, { sort, direction }: Order, { key, id }: CursorPosition): VisibleTickets {
  const column = sortColumns[sort]
  const value = sort === 'priority' ? sql`${key}::integer` : sql`${key}::timestamptz`
  const comparison = direction === 'desc' ? sql`<` : sql`>`
  return tickets.where(sql<boolean>`(${column}, tickets.id) ${comparison} (${value}, ${id}::bigint)`)
}
