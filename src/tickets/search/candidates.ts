import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { isMessageSeen, type VisibleTickets } from '../ticket/visibility.ts'
import { maxOfKind } from './newest.ts'
import { type Scope, visibleTicketsIn } from './scope.ts'

export type ResultKind = 'ticket' | 'message' | 'note' | 'client'

/** A search: as typed, and as `tsquery`s in text form, one with prefixes and one with whole words. */
export interface SearchQuery {
  typed: string
  query: string
  exact: string
}

/** The ranks of an exact match and of a mere part; other ranks lie between them. */
export const ranks = { exact: 10, part: 0.001 }

export type Candidates = RawBuilder<{ kind: ResultKind; id: number; rank: number }>

/** For searchers who see few tickets: queries for rows of kind, id and rank, which may overlap. */
export function candidates(db: Db, scope: Scope, sought: SearchQuery): Candidates[] {
  const found = [...ticketCandidates(db, scope, sought), messageCandidates(db, scope, sought)]
  if (scope.notes) found.push(noteCandidates(db, scope, sought))
  if (scope.clients !== 'none') found.push(...clientCandidates(db, scope, sought))
  return found
}

/**
 * Near matches, for when nothing else was found: people and subjects with a misspelt letter. Among many tickets only the newest three blocks of
 * 8,192, because the index has to read all rows that share some trigrams.
 */
export function nearCandidates(db: Db, scope: Scope, { typed }: SearchQuery): Candidates[] {
  const isNear = sql<SqlBool>`search_fold(${typed}) <% label`
  const isNew = sql<SqlBool>`search_blocks(ticket_words.ticket_id) && array(
    select ((newest.id >> 13) - back << 3) + 1
    from (select max(ticket_id) as id from ticket_words) as newest, generate_series(0, 2) as back)`
  const all = withWords(visibleTicketsIn(db, scope)).where(isNear).select(['tickets.id', 'ticket_words.label'])
  const tickets = scope.among ? all : all.where(isNew)
  const near = (kind: ResultKind, rows: object): Candidates =>
    sql`(select ${sql.lit(kind)}::text as kind, near.id, (${sql.lit(ranks.part)} * word_similarity(search_fold(${typed}), near.label))::real as rank
      from ${rows} as near order by rank desc limit ${sql.lit(maxOfKind)})`
  const found = [near('ticket', tickets)]
  if (scope.clients !== 'none') {
    found.push(near('client', seenClients(db, scope).where(isNear).select(['client_id as id', 'label'])))
  }
  return found
}

function ticketCandidates(db: Db, scope: Scope, sought: SearchQuery): Candidates[] {
  const seen = visibleTicketsIn(db, scope)
  const number = ticketNumberIn(sought.typed)
  const found = [
    byWords(
      'ticket',
      sought,
      withWords(seen)
        .where(matchesQuery('ticket_words', sought.query))
        .select(['tickets.id', 'ticket_words.words'])
        .orderBy('tickets.id', 'desc')
        .limit(sql.lit(maxOfKind))
    )
  ]
  if (number) found.push(byTicketNumber(seen, number))
  if (hasTrigram.test(sought.typed)) {
    const parts = withWords(seen).where(containsText(sought)).select('tickets.id')
    found.push(ranked('ticket', ranks.part, parts.orderBy('tickets.id', 'desc').limit(sql.lit(maxOfKind))))
  }
  return found
}

/** With at most this many tickets, all their messages are searched without the index. */
const maxLookedThrough = 40
/** With more matches than this, others are filtered one by one; it takes as long as parsing the words of five hundred messages. */
const maxLookedUp = 200_000

/** The words of messages may have to be parsed: for common words, search the newest visible messages until enough are found. */
function messageCandidates(db: Db, scope: Scope, sought: SearchQuery): Candidates {
  const messages = visibleTicketsIn(db, scope)
    .innerJoin('ticket_messages', 'ticket_messages.ticket_id', 'tickets.id')
    .where(isMessageSeen(scope.visibility, 'ticket_messages'))
  const own = messages
    .innerJoin('searched_messages', 'searched_messages.message_id', 'ticket_messages.id')
    .select('ticket_messages.id')
    .orderBy('ticket_messages.id', 'desc')
    .offset(sql.lit(0))
  const lookedThrough = sql`select * from (
      select own.id, ${wordsOfMessage(sql`own.id`)} as words from ${own} as own offset 0) as made
    where words @@ ${sought.query}::tsquery limit ${sql.lit(maxOfKind)}`
  if (scope.among && scope.among.length <= maxLookedThrough) return byWords('message', sought, sql`(${lookedThrough})`)

  const isRare = sql`(select count(*) from looked_up) <= ${sql.lit(maxLookedUp)}`
  const lookedUp = messages
    .where(sql<SqlBool>`ticket_messages.id in (select id from looked_up)`)
    .where(sql<SqlBool>`(select ${isRare})`)
    .select('ticket_messages.id')
    .orderBy('ticket_messages.id', 'desc')
    .limit(sql.lit(maxOfKind))
  return byWords(
    'message',
    sought,
    sql`(
      with looked_up as materialized (
        select id from ${messagesWith(sought.query, maxLookedUp + 1)} as message (id))
      select id, ${wordsOfMessage(sql`found.id`)} as words from ${lookedUp} as found
      union all
      select * from (${lookedThrough}) as through where not (select ${isRare}))`
  )
}

function noteCandidates(db: Db, scope: Scope, sought: SearchQuery): Candidates {
  const matching = visibleTicketsIn(db, scope)
    .innerJoin('ticket_notes', 'ticket_notes.ticket_id', 'tickets.id')
    .innerJoin('note_words', 'note_words.note_id', 'ticket_notes.id')
    .where(matchesQuery('note_words', sought.query))
    .select(['note_words.note_id as id', 'note_words.words'])
  return byWords('note', sought, matching.orderBy('note_words.note_id', 'desc').limit(sql.lit(maxOfKind)))
}

function clientCandidates(db: Db, scope: Scope, sought: SearchQuery): Candidates[] {
  const seen = seenClients(db, scope)
  const newest = sql.lit(maxOfKind)
  const matching = seen.where(matchesQuery('client_words', sought.query)).select(['client_id as id', 'words'])
  const found = [byWords('client', sought, matching.orderBy('client_id', 'desc').limit(newest))]
  if (sought.typed.includes('@')) {
    found.push(byEmailAddress(db, scope, sought.typed))
  }
  if (hasTrigram.test(sought.typed)) {
    const parts = seen.where(containsText(sought)).select('client_id as id')
    found.push(ranked('client', ranks.part, parts.orderBy('client_id', 'desc').limit(newest)))
  }
  return found
}

/** The ticket number that was typed, if one was. */
export function ticketNumberIn(typed: string): string | undefined {
  const digits = /^(?:tic-)?(\d{6,18})$/i.exec(typed)?.[1]
  return digits && `TIC-${digits}`
}

export function byTicketNumber(seen: VisibleTickets, number: string): Candidates {
  return ranked('ticket', ranks.exact, seen.where('ticket_number', '=', number).select('tickets.id'))
}

export function byEmailAddress(db: Db, scope: Scope, typed: string): Candidates {
  const named = db.selectFrom('clients').where(sql`lower(email)`, '=', sql`lower(${typed})`).select('id')
  return ranked('client', ranks.exact, seenClients(db, scope).where('client_id', 'in', named).select('client_id as id'))
}

function withWords(tickets: VisibleTickets) {
  return tickets.innerJoin('ticket_words', 'ticket_words.ticket_id', 'tickets.id')
}

function seenClients(db: Db, scope: Scope) {
  const clients = db.selectFrom('client_words')
  return scope.clients === 'all'
    ? clients
    : clients.where('client_id', 'in', visibleTicketsIn(db, scope).select('tickets.client_id'))
}

/** Whether the words of this row fit a `tsquery`. */
export function matchesQuery(table: string, query: string) {
  return sql<SqlBool>`${wordsOf(table)} @@ ${query}::tsquery`
}

/** The words of this row, as its index has them. Those of messages are not stored in the row. */
export function wordsOf(table: string) {
  return table === 'searched_messages'
    ? wordsOfMessage(sql.ref('searched_messages.message_id'))
    : sql.ref(`${table}.words`)
}

/** The newest messages with these words, by their index, at most `most`. */
export function messagesWith(query: string, most: number) {
  return sql`search_messages_with(${query}::tsquery, ${sql.lit(most)})`
}

/** The words of the message with this id, parsed from its text if they are not stored. */
export function wordsOfMessage(id: RawBuilder<unknown>) {
  return sql`search_words_of_message(${id})`
}

/** Three letters or digits in a row: with fewer a trigram index would be read as a whole. */
export const hasTrigram = /[\p{L}\p{N}]{3}/u

/** Whether the label of this row contains what was typed. */
export function containsText({ typed }: Pick<SearchQuery, 'typed'>) {
  return sql<SqlBool>`label like '%' || regexp_replace(search_fold(${typed}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`
}

function byWords(kind: ResultKind, sought: SearchQuery, rows: object): Candidates {
  return sql`select ${sql.lit(kind)}::text as kind, matching.id, ${rankOf(sql`matching.words`, sought)} as rank
    from ${rows} as matching`
}

/** Below 1: rows with the whole words rank above a half, rows with only prefixes below it. */
export function rankOf(words: RawBuilder<unknown>, { query, exact }: Pick<SearchQuery, 'query' | 'exact'>) {
  return sql`((ts_rank(${words}, ${query}::tsquery, 1) + (${words} @@ ${exact}::tsquery)::integer) / 2)::real`
}

function ranked(kind: ResultKind, rank: number, rows: object): Candidates {
  return sql`select ${sql.lit(kind)}::text as kind, matching.id, ${sql.lit(rank)}::real as rank from ${rows} as matching`
}
