import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { isMessageSeen } from '../ticket/visibility.ts'
import { type Scope, visibleTicketsIn } from './scope.ts'
import type { WordQuery } from './word-query.ts'

export type ResultKind = 'ticket' | 'message' | 'note' | 'client'

export interface RankedResult {
  kind: ResultKind
  id: number
  rank: number
}

/** A search: as typed, and by its words. */
export interface SearchQuery extends Omit<WordQuery, 'marked'> {
  typed: string
}

/** The ranks of an exact match and of a mere part; other ranks lie between them. */
const ranks = { exact: 10, part: 0.001 }

/** Of each kind as many are ranked: the newest that match. */
const maxOfKind = 100

type Candidates = RawBuilder<RankedResult>

/** The ids after which is searched, by kind. */
export interface Bounds {
  tickets: number
  messages: number
  notes: number
}

/**
 * What matches, a query for each kind, which may overlap. Whether the database walks back from the newest row or looks the words up in
 * their index is the planner's choice: it knows from its statistics how common they are.
 */
export function candidates(db: Db, scope: Scope, sought: SearchQuery, after?: Bounds): Candidates[] {
  const found = [
    ticketCandidates(db, scope, sought, after?.tickets),
    messageCandidates(db, scope, sought, after?.messages)
  ]
  if (scope.notes) found.push(noteCandidates(db, scope, sought, after?.notes))
  if (scope.clients !== 'none') found.push(clientCandidates(db, scope, sought))
  return [...found, ...exactCandidates(db, scope, sought.typed)]
}

/** Near matches, for when nothing else was found: people, and the subjects of tickets after this one, with a misspelt letter. */
export function nearCandidates(db: Db, scope: Scope, typed: string, after: number): Candidates[] {
  const similarity = sql<number>`word_similarity(search_fold(${typed}), label)`
  const near = (kind: ResultKind, rows: object): Candidates =>
    sql`(select ${sql.lit(kind)}::text as kind, id, (${sql.lit(ranks.part)} * ${similarity})::real as rank
      from ${rows} as near order by rank desc limit ${sql.lit(maxOfKind)})`
  // Compared one by one: the index would read all labels that share a few letters.
  const tickets = ticketsWithWords(db, scope)
    .where('tickets.id', '>', after)
    .where(similarity, '>=', sql.lit(leastSimilarity))
    .select(['tickets.id', 'ticket_words.label'])
  const found = [near('ticket', tickets)]
  if (scope.clients !== 'none') {
    const clients = seenClients(db, scope).where(sql<SqlBool>`search_fold(${typed}) <% label`)
    found.push(near('client', clients.select(['client_id as id', 'label'])))
  }
  return found
}

/** As for the operator `<%`. */
const leastSimilarity = 0.6

function ticketCandidates(db: Db, scope: Scope, sought: SearchQuery, after = 0): Candidates {
  return newest(
    'ticket',
    sought,
    ticketsWithWords(db, scope)
      .where(matchesLabelled('ticket_words', sought))
      .where('tickets.id', '>', after)
      .select(['tickets.id', 'ticket_words.words'])
      .orderBy('tickets.id', 'desc')
      .limit(sql.lit(maxOfKind))
  )
}

function messageCandidates(db: Db, scope: Scope, sought: SearchQuery, after = 0): Candidates {
  return newest(
    'message',
    sought,
    visibleTicketsIn(db, scope)
      .innerJoin('ticket_messages', 'ticket_messages.ticket_id', 'tickets.id')
      .where(isMessageSeen(scope.visibility, 'ticket_messages'))
      .where(matchesQuery('ticket_messages', sought.query))
      .where('ticket_messages.id', '>', after)
      .select(['ticket_messages.id', 'ticket_messages.words'])
      .orderBy('ticket_messages.id', 'desc')
      .limit(sql.lit(maxOfKind))
  )
}

function noteCandidates(db: Db, scope: Scope, sought: SearchQuery, after = 0): Candidates {
  return newest(
    'note',
    sought,
    visibleTicketsIn(db, scope)
      .innerJoin('ticket_notes', 'ticket_notes.ticket_id', 'tickets.id')
      .where(matchesQuery('ticket_notes', sought.query))
      .where('ticket_notes.id', '>', after)
      .select(['ticket_notes.id', 'ticket_notes.words'])
      .orderBy('ticket_notes.id', 'desc')
      .limit(sql.lit(maxOfKind))
  )
}

function clientCandidates(db: Db, scope: Scope, sought: SearchQuery): Candidates {
  return newest(
    'client',
    sought,
    seenClients(db, scope)
      .where(matchesLabelled('client_words', sought))
      .select(['client_id as id', 'words'])
      .orderBy('client_id', 'desc')
      .limit(sql.lit(maxOfKind))
  )
}

/** The ticket with the number, and the client with the e-mail address, that was typed. */
function exactCandidates(db: Db, scope: Scope, typed: string): Candidates[] {
  const exact = (kind: ResultKind, rows: object): Candidates =>
    sql`select ${sql.lit(kind)}::text as kind, exact.id, ${sql.lit(ranks.exact)}::real as rank from ${rows} as exact`
  const found: Candidates[] = []
  const digits = /^(?:tic-)?(\d{6,18})$/i.exec(typed)?.[1]
  if (digits) {
    const numbered = visibleTicketsIn(db, scope).where('ticket_number', '=', `TIC-${digits}`)
    found.push(exact('ticket', numbered.select('tickets.id')))
  }
  if (typed.includes('@') && scope.clients !== 'none') {
    const named = db.selectFrom('clients').where(sql`lower(email)`, '=', sql`lower(${typed})`).select('id')
    found.push(exact('client', seenClients(db, scope).where('client_id', 'in', named).select('client_id as id')))
  }
  return found
}

function ticketsWithWords(db: Db, scope: Scope) {
  return visibleTicketsIn(db, scope).innerJoin('ticket_words', 'ticket_words.ticket_id', 'tickets.id')
}

function seenClients(db: Db, scope: Scope) {
  const clients = db.selectFrom('client_words')
  return scope.clients === 'all'
    ? clients
    : clients.where('client_id', 'in', visibleTicketsIn(db, scope).select('tickets.client_id'))
}

/** Whether the words of this row fit a `tsquery`. */
export function matchesQuery(table: string, query: string) {
  return sql<SqlBool>`${sql.ref(`${table}.words`)} @@ ${query}::tsquery`
}

/** Three letters or digits in a row: with fewer a trigram index would be read as a whole. */
export const hasTrigram = /[\p{L}\p{N}]{3}/u

/** Whether the label of this row contains what was typed. */
export function containsText(typed: string) {
  return sql<SqlBool>`label like '%' || regexp_replace(search_fold(${typed}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`
}

/** Of a ticket or client: by words, or by a part of its label. */
function matchesLabelled(table: string, { query, typed }: SearchQuery) {
  const byWords = matchesQuery(table, query)
  return hasTrigram.test(typed) ? sql<SqlBool>`(${byWords} or ${containsText(typed)})` : byWords
}

/** Ranks below 1: rows with the whole words above a half, rows with only prefixes below it, and those with a part of the label last. */
function newest(kind: ResultKind, { query, exact }: SearchQuery, rows: object): Candidates {
  const rank = sql`(ts_rank(words, ${query}::tsquery, 1) + (words @@ ${exact}::tsquery)::integer) / 2`
  return sql`select ${sql.lit(kind)}::text as kind, matching.id,
      (case when words @@ ${query}::tsquery then ${rank} else ${sql.lit(ranks.part)} end)::real as rank
    from ${rows} as matching`
}
