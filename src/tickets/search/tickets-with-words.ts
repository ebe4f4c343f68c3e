import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { anyPart } from '../ticket/merged-parts.ts'
import type { VisibleTickets } from '../ticket/visibility.ts'
import { containsText, hasTrigram, matchesQuery } from './candidates.ts'
import { wordQuery } from './word-query.ts'

/** Narrows tickets to those with a match. */
type Narrowing = (tickets: VisibleTickets) => VisibleTickets

/** The most matches of a kind that are looked up beforehand; with more, each ticket is checked. */
const maxLookedUp = 20_000

/**
 * The tickets with these words or prefixes in their number, subject, client, messages or notes, or with this exact text in the number, the
 * subject, or the client's name or e-mail address. Merged tickets count as part of the ticket. Notes are searched: for staff only. Runs in a
 * transaction, whose later statements are planned for their values. Rare words are found by the search indexes, before any ticket is read. For
 * common words it is faster to walk the tickets in the requested order, as many of them match.
 */
export async function ticketsWithWords(db: Db, typed: string, max = maxLookedUp): Promise<Narrowing> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
  const sought: SearchQuery = { typed, query: (await wordQuery(db, typed))?.query, mayBePart: hasTrigram.test(typed) }
  if (!sought.query && !sought.mayBePart) return tickets => tickets.where(sql.lit(false))

  const ids = await lookedUp(db, sought, max)
  if (ids) return tickets => tickets.where('tickets.id', '=', sql<number>`any(${ids}::bigint[])`)
  return tickets => tickets.where(eb => isIn(eb as Within, sought))
}

interface SearchQuery {
  typed: string
  /** Undefined if it has no words. */
  query: string | undefined
  /** Whether it may match as a part. */
  mayBePart: boolean
}

/** The ids of all matching tickets; undefined if there are too many matches to look up. */
async function lookedUp(db: Db, { typed, query, mayBePart }: SearchQuery, max: number): Promise<number[] | undefined> {
  const limit = sql.lit(max + 1)
  const places: [kind: 'ticket' | 'message' | 'note', ids: object][] = []
  if (query) {
    places.push(
      [
        'ticket',
        db.selectFrom('ticket_words').where(matchesQuery('ticket_words', query)).select('ticket_id as id').limit(limit)
      ],
      [
        'message',
        db.selectFrom('ticket_messages').where(matchesQuery('ticket_messages', query)).select('id').limit(limit)
      ],
      ['note', db.selectFrom('ticket_notes').where(matchesQuery('ticket_notes', query)).select('id').limit(limit)]
    )
  }
  if (mayBePart) {
    const clients = db.selectFrom('client_words').where(containsText(typed)).select('client_id')
    places.push(
      ['ticket', db.selectFrom('ticket_words').where(containsText(typed)).select('ticket_id as id').limit(limit)],
      ['ticket', db.selectFrom('tickets').where('client_id', 'in', clients).select('id').limit(limit)]
    )
  }
  const found = places.map(
    ([kind, ids], place) => sql`select ${sql.lit(place)} as place, ${sql.lit(kind)} as kind, id from ${ids} as of_place`
  )
  // Visibility is checked only if there are few.
  const { rows } = await sql<{ ids: number[] | null }>`
    with found as materialized (${sql.join(found, sql` union all `)}),
      whole as (
        select id from found where kind = 'ticket'
        union select ticket_id from ticket_messages where id in (select id from found where kind = 'message')
        union select ticket_id from ticket_notes where id in (select id from found where kind = 'note')
      ),
      belonging as (
        select id from whole
        union select merged_into_id from tickets where id in (select id from whole) and merged_into_id is not null
      )
    select case when not exists (select from found group by place having count(*) > ${sql.lit(max)})
      then (select coalesce(json_agg(id), '[]') from belonging) end as ids`.execute(db)
  return rows[0]!.ids ?? undefined
}

type Within = ExpressionBuilder<Tables, 'tickets'>

/** Whether the ticket of this row matches, or one that was merged into it. */
function isIn({ exists, selectFrom }: Within, { typed, query, mayBePart }: SearchQuery) {
  return exists(
    selectFrom('tickets as part')
      .where('part.id', '=', anyPart)
      .where(({ or, exists, selectFrom }) => {
        const ofTicket = selectFrom('ticket_words')
          .whereRef('ticket_words.ticket_id', '=', 'part.id')
          .select('ticket_id')
        const ofMessages = selectFrom('ticket_messages as message')
          .whereRef('message.ticket_id', '=', 'part.id')
          .select('message.id')
        const ofNotes = selectFrom('ticket_notes as note').whereRef('note.ticket_id', '=', 'part.id').select('note.id')
        const ofClient = selectFrom('client_words')
          .whereRef('client_words.client_id', '=', 'part.client_id')
          .select('client_id')

        const inTicket = [
          ...(query ? [matchesQuery('ticket_words', query)] : []),
          ...(mayBePart ? [containsText(typed)] : [])
        ]
        const byWords = query
          ? [ofMessages.where(matchesQuery('message', query)), ofNotes.where(matchesQuery('note', query))]
          : []
        const byPart = mayBePart ? [ofClient.where(containsText(typed))] : []
        return or(
          [ofTicket.where(sql<SqlBool>`(${sql.join(inTicket, sql` or `)})`), ...byWords, ...byPart].map(way =>
            exists(way)
          )
        )
      })
      .select('part.id')
  )
}
