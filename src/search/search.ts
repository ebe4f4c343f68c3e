import { type RawBuilder, sql } from 'kysely'
import { type Actor, type ClientActor, holds, type StaffActor } from '../actor.ts'
import { maxId } from '../kit/fields.ts'
import type { Page } from '../lib/page.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import { ownTickets, ticketsWith } from '../tickets/sight.ts'
import { candidates, nearCandidates, type Scope } from './candidates.ts'
import { type FoundRow, foundRows, type Place } from './found.ts'
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

async function search(db: Db, scope: Scope, typed: string, { limit, offset }: Page): Promise<Found> {
  return await transaction(db, async db => {
    // How to go about it depends on how common the words are: a plan for any words would be wrong for most.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
    const query = await wordQuery(db, typed)
    if (!query) return { total: 0, results: [] }

    const sought = { typed, query }
    let found = await best(db, candidates(db, scope, sought), { limit, offset })
    if (found.total === 0) found = await best(db, nearCandidates(db, scope, sought), { limit, offset })
    const rows = await foundRows(db, scope, sought, found.places)
    const results = rows.map(({ original, marked, ...row }) => ({
      ...row,
      snippet: snippetOf(original, marked, typed)
    }))
    return { total: found.total, results }
  })
}

async function best(
  db: Db,
  queries: RawBuilder<unknown>[],
  { limit, offset }: Pick<Page, 'limit' | 'offset'>
): Promise<{ total: number; places: Place[] }> {
  const { rows } = await sql<{ total: number; places: Place[] }>`
    with found as (
      select kind, id, max(rank) as rank from (${sql.join(queries, sql` union all `)}) as candidate group by kind, id
    ), page as (
      select * from found order by rank desc, kind, id desc limit ${limit} offset ${Math.min(offset, maxId)}
    )
    select (select count(*) from found) as total,
      (select coalesce(json_agg(page), '[]') from page) as places`.execute(db)
  return rows[0]!
}
