import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { isMessageSeen } from '../ticket/visibility.ts'
import {
  byEmailAddress,
  byTicketNumber,
  type Candidates,
  containsText,
  hasTrigram,
  matchesQuery,
  type ResultKind,
  rankOf,
  ranks,
  type SearchQuery,
  ticketNumberIn,
  wordsOf,
  wordsOfMessage
} from './candidates.ts'
import { newest, type WordTable } from './newest.ts'
import { type Scope, visibleTicketsIn } from './scope.ts'
import { phraseOperator, type WordQuery } from './word-query.ts'

/** A search as the parameters of a prepared query. */
export interface SearchParameters extends SearchQuery {
  whole: string
  phrases: string | null
  /** The `begun` of the query as JSON; null if there are no prefixes. */
  begun: string | null
  number: string | undefined
}

export function searchParameters(typed: string, { query, exact, whole, phrases, begun }: WordQuery): SearchParameters {
  const terms = begun.length > 0 ? JSON.stringify(begun) : null
  return { typed, query, exact, whole, phrases: phrases ?? null, begun: terms, number: ticketNumberIn(typed) }
}

/** Queries for rows of kind, id and rank, and the `with recursive` queries that they use. */
export interface Steps {
  steps: RawBuilder<unknown>[]
  found: Candidates[]
}

/** Everything that the text of the query depends on. */
interface Shape {
  isNumber: boolean
  isAddress: boolean
  mayGoOn: boolean
  mayBePart: boolean
  /** Whether words have to be adjacent, which an index cannot check. */
  hasPhrase: boolean
}

export function shapeOf({ typed, number, begun, query }: SearchParameters): Shape {
  return {
    isNumber: number !== undefined,
    isAddress: typed.includes('@'),
    mayGoOn: begun !== null,
    mayBePart: hasTrigram.test(typed),
    hasPhrase: phraseOperator.test(query)
  }
}

interface Place extends WordTable {
  kind: ResultKind
  hasLabel: boolean
  /** Whether the searcher may find the row. */
  isSeen: RawBuilder<SqlBool>
}

/**
 * For searchers who see many tickets. For each kind: first rows with the words as typed; if these are too few, also rows with these prefixes; if
 * still too few, also rows that contain the whole text.
 */
export function newestCandidates(db: Db, scope: Scope, shape: Shape, p: SearchParameters): Steps {
  const steps: RawBuilder<unknown>[] = []
  const found: Candidates[] = []
  for (const { kind, table, key, hasLabel, isSeen } of placesOf(db, scope)) {
    const names: string[] = []
    const ofWords = (id: RawBuilder<unknown>) =>
      sql`(select ${rankOf(sql`words`, p)} from ${wordsOfOne(table, key, id)})`
    const add = (way: string, reach: RawBuilder<SqlBool>, isExact: RawBuilder<SqlBool>, rank = ofWords) => {
      const name = `${kind}_${way}`
      const isFit = sql<SqlBool>`(${isExact} or (${fitsItself(table, p)})) and ${isSeen}`
      steps.push(...newest({ name, table, key, reach, isFit, rank, unless: [...names] }))
      found.push(sql`select ${sql.lit(kind)}::text as kind, id, rank from ${sql.table(name)}`)
      names.push(name)
    }

    const isExact = sql.lit(!shape.hasPhrase)
    add('whole', matchesQuery(table, p.whole), isExact)
    if (shape.mayGoOn) {
      const goingOn = sql.table(`${kind}_going_on`)
      steps.push(sql`${goingOn} as (${wordsGoingOn(table, p.begun)})`)
      const isWhole = sql<SqlBool>`${isExact} and (select is_whole from ${goingOn} as going_on)`
      add('often', fitsAnyOf(table, sql`select often from ${goingOn} as going_on`), isExact)
      add('begun', fitsAnyOf(table, sql`select begun from ${goingOn} as going_on`), isWhole)
    }
    if (hasLabel && shape.mayBePart) {
      add('part', containsText(p), sql.lit(true), () => sql`${sql.lit(ranks.part)}::real`)
    }
  }
  if (shape.isNumber) found.push(byTicketNumber(visibleTicketsIn(db, scope), p.number!))
  if (shape.isAddress && scope.clients !== 'none') found.push(byEmailAddress(db, scope, p.typed))
  return { steps, found }
}

/** Whether the words of a row match, which the index could not check. Those of messages may have to be parsed, so phrases are checked first. */
function fitsItself(table: string, { query, phrases }: SearchParameters) {
  if (table !== 'searched_messages') return matchesQuery(table, query)
  return sql`(${phrases}::tsquery is null or search_written_words_of_message(searched_messages.message_id) @@ ${phrases}::tsquery)
    and ${matchesQuery(table, query)}`
}

/** The words of the row with this id, for its rank: parsed once, if they have to be. */
function wordsOfOne(table: string, key: string, id: RawBuilder<unknown>) {
  if (table === 'searched_messages') return sql`(select ${wordsOfMessage(id)} as words offset 0) as made`
  return sql`${sql.table(table)} where ${sql.ref(`${table}.${key}`)} = ${id}`
}

function fitsAnyOf(table: string, query: RawBuilder<unknown>) {
  return sql<SqlBool>`${wordsOf(table)} @@ (${query})`
}

/**
 * The index queries for words with prefixes. `often` matches each word itself and the common words with its prefix; null if no prefix has common
 * words.
 *
 * `begun` matches all words with the prefixes. For a prefix the index reads the entries of every word that begins with it, which is too much if
 * some of these are common: such a term stays as in `often`. If all terms of an alternative are such, the query has only the whole words of the
 * others, without the last term, and each found row is checked: then `is_whole` is false. A single term is always queried by its prefix.
 */
function wordsGoingOn(table: string, begun: string | null) {
  return sql`
    select case when bool_or(has_common) then string_agg(often, ' | ')::tsquery end as often,
      string_agg(begun, ' | ')::tsquery as begun, bool_and(is_whole) as is_whole
    from (
      select bool_or(common is not null) as has_common, '(' || string_agg(often, ' & ') || ')' as often,
        '(' || string_agg(
          case when common is null or role = 'only' then begun when rare > 0 then often when role = 'other' then whole end, ' & '
        ) || ')' as begun,
        bool_and(common is null or rare > 0 or role in ('only', 'other')) as is_whole
      from (
        select term.*, common, case when common is null then whole else '(' || whole || ' | ' || common::text || ')' end as often,
          count(*) filter (where common is null and role <> 'not') over (partition by alternative) as rare
        from json_to_recordset(${begun}::json)
            as term (alternative integer, whole text, begun text, beginnings text[], role text)
          cross join lateral (
            select case when cardinality(beginnings) > 0 then search_common(${sql.lit(table)}, beginnings) end as common
            offset 0) as known) as term
      group by alternative) as alternative`
}

/** Visibility is checked per found row: it is written as a value, because with an "exists" the planner might compute it for all rows beforehand. */
function placesOf(db: Db, scope: Scope): Place[] {
  const seen = visibleTicketsIn(db, scope)
  const isOne = (row: SelectQueryBuilder<Tables, never, { id: number }>) => sql<SqlBool>`(${row}) is not null`
  const ofTicket = seen.where(sql<SqlBool>`tickets.id = ticket_words.ticket_id`)
  const ofMessage = seen
    .innerJoin('ticket_messages', 'ticket_messages.ticket_id', 'tickets.id')
    .where(isMessageSeen(scope.visibility, 'ticket_messages'))
    .where(sql<SqlBool>`ticket_messages.id = searched_messages.message_id`)
  const ofNote = seen
    .innerJoin('ticket_notes', 'ticket_notes.ticket_id', 'tickets.id')
    .where(sql<SqlBool>`ticket_notes.id = note_words.note_id`)
  const ofClient = seen.where(sql<SqlBool>`tickets.client_id = client_words.client_id`).limit(sql.lit(1))
  const places: Place[] = [
    {
      kind: 'ticket',
      table: 'ticket_words',
      key: 'ticket_id',
      hasLabel: true,
      isSeen: isOne(ofTicket.select('tickets.id'))
    },
    {
      kind: 'message',
      table: 'searched_messages',
      key: 'message_id',
      hasLabel: false,
      isSeen: isOne(ofMessage.select('tickets.id'))
    }
  ]
  if (scope.notes) {
    places.push({
      kind: 'note',
      table: 'note_words',
      key: 'note_id',
      hasLabel: false,
      isSeen: isOne(ofNote.select('tickets.id'))
    })
  }
  if (scope.clients !== 'none') {
    const isSeen = scope.clients === 'all' ? sql.lit(true) : isOne(ofClient.select('tickets.id'))
    places.push({ kind: 'client', table: 'client_words', key: 'client_id', hasLabel: true, isSeen })
  }
  return places
}
