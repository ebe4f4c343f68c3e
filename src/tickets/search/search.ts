import { sql } from 'kysely'
import { type ClientActor, hasPermission, type StaffActor } from '../../core/actor.ts'
import { type Db, prepared, transaction } from '../../core/db.ts'
import type { Page } from '../../lib/page.ts'
import { clientVisibility, ticketsWith } from '../ticket/visibility.ts'
import { type Bounds, candidates, nearCandidates, type RankedResult, type SearchQuery } from './candidates.ts'
import { type ResultRow, resultRows } from './result-rows.ts'
import type { Scope } from './scope.ts'
import { snippetOf } from './snippet.ts'
import { wordQuery } from './word-query.ts'

export interface SearchResults {
  /** How many of the ranked rows match in all. */
  total: number
  results: (Omit<ResultRow, 'text'> & { snippet: string })[]
}

/** A page of what staff find in the tickets they see, their messages and notes, and among clients; the best first. */
export async function searchDesk(db: Db, actor: StaffActor, typed: string, page: Page): Promise<SearchResults> {
  const clients = hasPermission(actor, 'clients.view') ? 'all' : 'seen'
  return await search(db, { visibility: ticketsWith(actor, 'tickets.view_all'), notes: true, clients }, typed, page)
}

/** A page of what clients find in their own tickets, and managers in those of their organisation, and in the messages of these. */
export async function searchOwnTickets(db: Db, actor: ClientActor, typed: string, page: Page): Promise<SearchResults> {
  return await search(db, { visibility: clientVisibility(actor), notes: false, clients: 'none' }, typed, page)
}

async function search(db: Db, scope: Scope, typed: string, { limit, offset }: Page): Promise<SearchResults> {
  const words = await wordQuery(db, typed)
  if (!words) return { total: 0, results: [] }
  const ranked = await rankedResults(db, scope, { typed, ...words })
  const rows = await resultRows(db, scope, ranked.slice(offset, offset + limit))
  const results = rows.map(({ text, ...row }) => ({ ...row, snippet: snippetOf(text, words.marked, typed) }))
  return { total: ranked.length, results }
}

/** A search of everything may take this long. */
const milliseconds = 1_000
/** After that, only the newest rows are searched. */
const newestRows: Bounds = { tickets: 20_000, messages: 100_000, notes: 20_000 }
/** In so many of the newest tickets misspelt words are looked for. */
const newestOfNear = 10_000

/** All that was found, best first. */
async function rankedResults(db: Db, scope: Scope, sought: SearchQuery): Promise<RankedResult[]> {
  const found = await firstOf(
    () => ranked(db, db => candidates(db, scope, sought), milliseconds),
    async () => {
      const after = await before(db, newestRows)
      return await ranked(db, db => candidates(db, scope, sought, after))
    }
  )
  if (found.length > 0) return found
  const { tickets } = await before(db, { ...newestRows, tickets: newestOfNear })
  return await firstOf(
    () => ranked(db, db => nearCandidates(db, scope, sought.typed, tickets), milliseconds),
    async () => []
  )
}

/** What `first` finds, or `second` where that takes too long. */
async function firstOf<T>(first: () => Promise<T>, second: () => Promise<T>): Promise<T> {
  try {
    return await first()
  } catch (error) {
    if ((error as { code?: string }).code !== queryCanceled) throw error
    return await second()
  }
}

const queryCanceled = '57014'

/** Planned for the words at hand: the best plan depends on how common they are and on how much is visible. */
async function ranked(
  db: Db,
  queries: (db: Db) => ReturnType<typeof candidates>,
  withinMilliseconds?: number
): Promise<RankedResult[]> {
  return await transaction(db, async db => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
    if (withinMilliseconds) await sql`set local statement_timeout = ${sql.lit(withinMilliseconds)}`.execute(db)
    const { rows } = await sql<RankedResult>`
      select kind, id, max(rank) as rank from (${sql.join(queries(db), sql` union all `)}) as candidate
      group by kind, id order by rank desc, kind, id desc`.execute(db)
    return rows
  })
}

/** The ids before so many of the newest rows. */
async function before(db: Db, { tickets, messages, notes }: Bounds): Promise<Bounds> {
  const [newest] = await newestIds(db, {})
  return {
    tickets: newest!.tickets - tickets,
    messages: newest!.messages - messages,
    notes: newest!.notes - notes
  }
}

const newestIds = prepared(db => {
  const newest = (table: 'tickets' | 'ticket_messages' | 'ticket_notes') =>
    sql<number>`coalesce((select max(id) from ${sql.table(table)}), 0)`
  return db.selectNoFrom([
    newest('tickets').as('tickets'),
    newest('ticket_messages').as('messages'),
    newest('ticket_notes').as('notes')
  ])
})
