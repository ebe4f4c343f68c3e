import { sql } from 'kysely'
import type { StaffActor } from '../actor.ts'
import { type Db, preparedByKind, transaction } from '../db.ts'
import { maxId } from '../kit/schemas.ts'
import { catchUp } from '../search/index-words.ts'
import { ticketsWithWords } from '../search/tickets-with-words.ts'
import type { SeenTickets } from '../tickets/sight.ts'
import { cursorOf, type Order, type Place, placeOf } from './cursor.ts'
import { type ListedRow, listedRows, type PageTag, tagsOfPage } from './listed-ticket.ts'
import { counted, maxCountedOfSearch, type NarrowedValues, narrowed, type Total } from './narrowed.ts'
import type { QueueQuery } from './queue-query.ts'

interface Page {
  limit: number
  offset: number
  /** In place of the offset: begins behind where another page ended, however many tickets have arrived since. */
  cursor?: string
}

interface Queue {
  tickets: ListedRow[]
  /** By the ids of their tickets. */
  tags: ReadonlyMap<number, PageTag[]>
  /** How many fit in all, at most 10,000 unless the database's sums tell it, at most 1,000 where a text is searched. */
  total: number
  /** Undefined on the last page. */
  nextCursor: string | undefined
}

/** A page of the tickets that the actor sees and that fit the query (`narrowed`, which may throw `Forbidden`); `search`: see `ticketsWithWords`. */
export async function queue(db: Db, actor: StaffActor, query: QueueQuery, page: Page): Promise<Queue> {
  const { search, sort = 'updated', direction = 'desc' } = query
  const order: Order = { sort, direction }
  const { kind, values: fitting, tickets: matching, total } = narrowed(actor, query)
  const place = page.cursor === undefined ? undefined : placeOf(page.cursor, order)
  const length = { limit: page.limit + 1, offset: place ? 0 : Math.min(page.offset, maxId) }
  const walk = { isBehind: place !== undefined, reach: reachOf(length.offset + length.limit) }
  const values: Values = { ...fitting, ...length, key: place?.key ?? '', id: place?.id ?? 0 }

  if (search === undefined) {
    const rows = await pageByKind(db, values, JSON.stringify([kind, order, walk]), (db, p) =>
      pageOf(db, { tickets: matching(db, p), total: total(db, p) }, order, walk, p)
    )
    return await queueOf(rows, order, page, () => total(db, values))
  }
  await catchUp(db)
  return await transaction(db, async db => {
    const found = await ticketsWithWords(db, search)
    const tickets = found(matching(db, values))
    const total = counted(db, newestFirst(tickets), maxCountedOfSearch)
    const rows = await pageOf(db, { tickets, total }, order, walk, values).execute()
    return await queueOf(rows, order, page, () => total)
  })
}

/**
 * How many tickets the actor sees that fit the query. Told by the sums that the database keeps it is exact; else counting ends at 1,000, since
 * many views may be counted at once. Throws what `narrowed` does.
 */
export async function countQueue(db: Db, actor: StaffActor, query: QueueQuery): Promise<number> {
  const { search } = query
  const { kind, values, tickets, total } = narrowed(actor, query, maxCountedOfView)
  if (search === undefined) {
    const [counted] = await totalByKind(db, values, JSON.stringify(kind), total)
    return counted!.total
  }
  await catchUp(db)
  return await transaction(db, async db => {
    const found = await ticketsWithWords(db, search)
    const { total } = await counted(
      db,
      newestFirst(found(tickets(db, values))),
      maxCountedOfSearch
    ).executeTakeFirstOrThrow()
    return total
  })
}

/** The words of the newest messages are stored, those of others made: where many tickets fit, counting comes upon enough of these first. */
function newestFirst(tickets: SeenTickets): SeenTickets {
  return tickets.orderBy('tickets.updated_at', 'desc').orderBy('tickets.id', 'desc')
}

const maxCountedOfView = 1_000

const totalByKind = preparedByKind<NarrowedValues, { total: number }>()

/** What stands for the values in the query. */
type Values = NarrowedValues & Place & Length

interface Length {
  limit: number
  offset: number
}

/** The tickets that fit, and the query for how many they are. */
interface Matching {
  tickets: SeenTickets
  total: Total
}

/** The first row has the tags of all. */
type PageRow = ListedRow & { sort_text: string; total: number; page_tags: PageTag[] | null }

async function queueOf(
  rows: PageRow[],
  order: Order,
  { limit, offset, cursor }: Page,
  count: () => Total
): Promise<Queue> {
  const isAtStart = offset === 0 && cursor === undefined
  const total = rows[0]?.total ?? (isAtStart ? 0 : (await count().executeTakeFirstOrThrow()).total)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    total,
    tickets: shown,
    tags: Map.groupBy(rows[0]?.page_tags ?? [], ({ ticket_id }) => ticket_id),
    nextCursor: last && cursorOf(order, { key: keyOf(order.sort, last.sort_text), id: last.id })
  }
}

const pageByKind = preparedByKind<Values, PageRow>()

/** Where a page is looked for: behind a place or from the beginning, among so many at most. */
interface Walk {
  isBehind: boolean
  reach: number
}

/** A few steps for all pages there may be, since each is a query of its own. */
function reachOf(last: number): number {
  return 64 * 4 ** Math.max(0, Math.ceil(Math.log(last / 64) / Math.log(4)))
}

/**
 * One statement: the page is found first, and only its rows are filled with what belongs to them. How far to look stands in the text,
 * because a plan for any length would sort all tickets rather than walk an index.
 */
function pageOf(db: Db, { tickets, total }: Matching, order: Order, { isBehind, reach }: Walk, p: Values) {
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
  const isFirst = sql`page.id = (select id from page limit 1)`
  return listedRows(db.with('page', () => page).selectFrom('tickets'), p.staff)
    .innerJoin(sql<{ id: number; sort: unknown }>`page`.as('page'), 'page.id', 'tickets.id')
    .select(sortTexts[order.sort].as('sort_text'))
    .select(sql<PageTag[] | null>`case when ${isFirst} then ${tagsOfPage} end`.as('page_tags'))
    .select(sql<number>`(${total})`.as('total'))
    .orderBy('page.sort', order.direction)
    .orderBy('page.id', order.direction)
}

const rank = sql`case tickets.priority when 'Critical' then 4 when 'High' then 3 when 'Medium' then 2 else 1 end`

const sortColumns = { updated: sql.ref('tickets.updated_at'), created: sql.ref('tickets.created_at'), priority: rank }

const moment = sql<string>`(page.sort at time zone 'UTC')::text`
const sortTexts = { updated: moment, created: moment, priority: sql<string>`page.sort::text` }

/** The key of a cursor, which has each moment to the microsecond. To write all of a page so would take the database longer. */
function keyOf(sort: Order['sort'], text: string): string {
  return sort === 'priority' ? text : `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(6, '0')}Z`
}

function behind(tickets: SeenTickets, { sort, direction }: Order, { key, id }: Place): SeenTickets {
  const column = sortColumns[sort]
  const value = sort === 'priority' ? sql`${key}::integer` : sql`${key}::timestamptz`
  const comparison = direction === 'desc' ? sql`<` : sql`>`
  return tickets.where(sql<boolean>`(${column}, tickets.id) ${comparison} (${value}, ${id}::bigint)`)
}
