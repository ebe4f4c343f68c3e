import { type RawBuilder, sql } from 'kysely'
import { type Actor, type ClientActor, hasPermission, type StaffActor } from '../../core/actor.ts'
import { type Db, preparedByKind, transaction } from '../../core/db.ts'
import { maxId } from '../../kit/schemas.ts'
import type { Page } from '../../lib/page.ts'
import { ownTickets, ticketsWith } from '../ticket/visibility.ts'
import { candidates, nearCandidates } from './candidates.ts'
import { catchUp } from './index-words.ts'
import { newestCandidates, type SearchParameters, type Steps, searchParameters, shapeOf } from './newest-candidates.ts'
import { type RankedResult, type ResultRow, resultRows } from './result-rows.ts'
import { kindOf, type Owner, ownedBy, ownerOf, type Scope, visibleTicketsIn } from './scope.ts'
import { snippetOf } from './snippet.ts'
import { wordQuery } from './word-query.ts'

export interface SearchResults {
  /** How many of the ranked rows match in all. */
  total: number
  results: (Omit<ResultRow, 'original' | 'marked'> & { snippet: string })[]
}

/** A page of what staff find in the tickets they see, their messages and notes, and among clients; the best first. */
export async function searchDesk(db: Db, actor: StaffActor, typed: string, page: Page): Promise<SearchResults> {
  const clients = hasPermission(actor, 'clients.view') ? 'all' : 'seen'
  return await search(db, { visibility: ticketsWith(actor, 'tickets.view_all'), notes: true, clients }, typed, page)
}

/** A page of what clients find in their own tickets and the messages of these. */
export async function searchOwnTickets(db: Db, actor: ClientActor, typed: string, page: Page): Promise<SearchResults> {
  return await search(db, { visibility: ownTickets(actor satisfies Actor), notes: false, clients: 'none' }, typed, page)
}

async function search(db: Db, scope: Scope, typed: string, page: Page): Promise<SearchResults> {
  const words = await wordQuery(db, typed)
  if (!words) return { total: 0, results: [] }
  await catchUp(db)

  const sought = searchParameters(typed, words)
  const { total, places } = await bestOf(db, scope, sought, page)
  const rows = await resultRows(db, scope, sought, places)
  const results = rows.map(({ original, marked, ...row }) => ({ ...row, snippet: snippetOf(original, marked, typed) }))
  return { total, results }
}

interface Best {
  total: number
  places: RankedResult[]
}

type Part = Pick<Page, 'limit' | 'offset'>

async function bestOf(db: Db, scope: Scope, sought: SearchParameters, { limit, offset }: Page): Promise<Best> {
  const page = { limit, offset: Math.min(offset, maxId) }
  const { column, departments } = scope.visibility
  const seesAll = column === undefined && departments === undefined
  const ofFew = seesAll ? undefined : await bestOfFew(db, scope, sought, page)
  if (ofFew) return ofFew
  const ofMany = await bestOfMany(db, scope, sought, page)
  if (ofMany.total > 0) return ofMany
  return await plannedForValues(db, db => bestOfThese(db, nearCandidates(db, scope, sought), page))
}

/** If the searcher sees at most this many tickets, search only those: the index of all tickets would mostly return others. */
const maxOfFew = 2_000

/** Undefined if the searcher sees more tickets than that. */
async function bestOfFew(db: Db, scope: Scope, sought: SearchParameters, page: Part): Promise<Best | undefined> {
  return await plannedForValues(db, async db => {
    const tickets = await visibleTicketsIn(db, scope)
      .select('tickets.id')
      .limit(sql.lit(maxOfFew + 1))
      .execute()
    if (tickets.length > maxOfFew) return undefined
    const few = { ...scope, among: tickets.map(({ id }) => id) }
    const found = await bestOfThese(db, candidates(db, few, sought), page)
    return found.total > 0 ? found : await bestOfThese(db, nearCandidates(db, few, sought), page)
  })
}

async function bestOfMany(db: Db, scope: Scope, sought: SearchParameters, page: Part): Promise<Best> {
  const shape = shapeOf(sought)
  const values = { ...sought, ...page, ...ownerOf(scope) }
  const [found] = await manyByKind(db, values, JSON.stringify([shape, kindOf(scope)]), (db, p) => ({
    compile: () => best(newestCandidates(db, ownedBy(scope, p), shape, p), p).compile(db)
  }))
  return found!
}

const manyByKind = preparedByKind<SearchParameters & Part & Owner, Best>()

/** The best plan depends on how common the words are and on how much is visible: a generic plan would be wrong for most searches. */
function plannedForValues<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return transaction(db, async db => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
    return await work(db)
  })
}

async function bestOfThese(db: Db, found: Steps['found'], page: Part): Promise<Best> {
  const { rows } = await best({ steps: [], found }, page).execute(db)
  return rows[0]!
}

function best({ steps, found }: Steps, { limit, offset }: Part): RawBuilder<Best> {
  return sql<Best>`
    with recursive ${sql.join([
      ...steps,
      sql`found as (
      select kind, id, max(rank) as rank from (${sql.join(found, sql` union all `)}) as candidate group by kind, id
    )`,
      sql`page as (
      select * from found order by rank desc, kind, id desc limit ${limit} offset ${offset}
    )`
    ])}
    select (select count(*) from found) as total,
      (select coalesce(json_agg(page), '[]') from page) as places`
}
