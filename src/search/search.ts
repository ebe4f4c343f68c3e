import { type RawBuilder, sql } from 'kysely'
import { type Actor, type ClientActor, holds, type StaffActor } from '../actor.ts'
import { maxId } from '../kit/fields.ts'
import type { Page } from '../lib/page.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import { preparedByKind } from '../platform/db/prepared.ts'
import { ownTickets, ticketsWith } from '../tickets/sight.ts'
import { candidates, nearCandidates, type Scope } from './candidates.ts'
import { type FoundRow, foundRows, type Place } from './found.ts'
import { newestCandidates, type SoughtWords, type Steps, shapeOf, soughtWords } from './newest-candidates.ts'
import { snippetOf } from './snippet.ts'
import { wordQuery } from './word-query.ts'

export interface Found {
  /** How many of the ranked fit in all. */
  total: number
  results: (Omit<FoundRow, 'original' | 'marked'> & { snippet: string })[]
}

/** A page of what staff find in the tickets they see, their messages and notes, and among clients; the best first. */
export async function searchDesk(db: Db, actor: StaffActor, typed: string, page: Page): Promise<Found> {
  const clients = holds(actor, 'clients.view') ? 'all' : 'seen'
  return await search(db, { sight: ticketsWith(actor, 'tickets.view_all'), notes: true, clients }, typed, page)
}

/** A page of what clients find in their own tickets and the messages of these. */
export async function searchOwnTickets(db: Db, actor: ClientActor, typed: string, page: Page): Promise<Found> {
  return await search(db, { sight: ownTickets(actor satisfies Actor), notes: false, clients: 'none' }, typed, page)
}

async function search(db: Db, scope: Scope, typed: string, page: Page): Promise<Found> {
  const words = await wordQuery(db, typed)
  if (!words) return { total: 0, results: [] }

  const sought = soughtWords(typed, words)
  const { total, places } = await bestOf(db, scope, sought, page)
  const rows = await foundRows(db, scope, sought, places)
  const results = rows.map(({ original, marked, ...row }) => ({ ...row, snippet: snippetOf(original, marked, typed) }))
  return { total, results }
}

interface Best {
  total: number
  places: Place[]
}

async function bestOf(db: Db, scope: Scope, sought: SoughtWords, { limit, offset }: Page): Promise<Best> {
  const page = { limit, offset: Math.min(offset, maxId) }
  if (seesWholeDesk(scope)) {
    const shape = shapeOf(sought)
    const kind = JSON.stringify([shape, scope.notes, scope.clients])
    const [found] = await bestOfDesk(db, { ...sought, ...page }, kind, (db, p) => ({
      compile: () => best(newestCandidates(db, scope, shape, p), p).compile(db)
    }))
    if (found!.total > 0) return found!
  }
  return await transaction(db, async db => {
    // How to go about it depends on how common the words are: a plan for any words would be wrong for most.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
    if (!seesWholeDesk(scope)) {
      const { rows } = await best({ steps: [], found: candidates(db, scope, sought) }, page).execute(db)
      if (rows[0]!.total > 0) return rows[0]!
    }
    const { rows } = await best({ steps: [], found: nearCandidates(db, scope, sought) }, page).execute(db)
    return rows[0]!
  })
}

const bestOfDesk = preparedByKind<SoughtWords & Pick<Page, 'limit' | 'offset'>, Best>()

function seesWholeDesk({ sight }: Scope): boolean {
  return sight.column === undefined && sight.departments === undefined
}

function best({ steps, found }: Steps, { limit, offset }: Pick<Page, 'limit' | 'offset'>): RawBuilder<Best> {
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
