import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import type { Tables } from '../platform/db/tables.ts'
import {
  type Candidates,
  emailed,
  type FoundKind,
  fits,
  hasPart,
  hasTrigram,
  numbered,
  numberIn,
  ranks
} from './candidates.ts'
import { newest, type WordTable } from './newest.ts'
import { type Scope, seenTickets } from './scope.ts'
import type { Begun, WordQuery } from './word-query.ts'

/** What somebody looks for, in the parameters of a prepared query. */
export interface SoughtWords extends Begun {
  typed: string
  query: string
  whole: string
  number: string | undefined
}

export function soughtWords(typed: string, { query, whole, begun }: WordQuery): SoughtWords {
  const none: Begun = { reach: '', beginnings: [], others: null, choices: null }
  return { typed, query, whole, number: numberIn(typed), ...(begun ?? none) }
}

/** Queries for rows of kind, id and rank, and the ones for `with recursive` that they go on from. */
export interface Steps {
  steps: RawBuilder<unknown>[]
  found: Candidates[]
}

/** All that the text of the query depends on. */
interface Shape {
  isNumber: boolean
  isAddress: boolean
  mayGoOn: boolean
  mayBePart: boolean
}

export function shapeOf({ typed, number, beginnings }: SoughtWords): Shape {
  return {
    isNumber: number !== undefined,
    isAddress: typed.includes('@'),
    mayGoOn: beginnings.length > 0,
    mayBePart: hasTrigram.test(typed)
  }
}

interface Place extends WordTable {
  kind: FoundKind
  hasLabel: boolean
  /** Whether the seeker may find the row. */
  isSeen: RawBuilder<SqlBool>
}

/**
 * For somebody who sees many tickets. Of each kind first what has the words as they were typed; where that is not
 * enough, also what has words that begin with the last one; where that is not enough, also what has it all as a part.
 */
export function newestCandidates(db: Db, scope: Scope, shape: Shape, p: SoughtWords): Steps {
  const steps: RawBuilder<unknown>[] = []
  const found: Candidates[] = []
  for (const { kind, table, key, hasLabel, isSeen } of placesOf(db, scope)) {
    const ranked = sql`case when ${fits(table, p.query)} and ${isSeen} then ts_rank(words, ${p.query}::tsquery, 1) end`
    const names: string[] = []
    const add = (way: string, reach: RawBuilder<SqlBool>, rank = ranked) => {
      const name = `${kind}_${way}`
      steps.push(...newest({ name, table, key, reach, rank, unless: [...names] }))
      found.push(sql`select ${sql.lit(kind)}::text as kind, id, rank from ${sql.table(name)}`)
      names.push(name)
    }

    add('whole', fits(table, p.whole))
    if (shape.mayGoOn) {
      const common = sql.table(`${kind}_common`)
      steps.push(sql`${common} (words) as (select search_common(${sql.lit(table)}, ${p.beginnings}::text[]))`)
      add('often', fitsAnyOf(table, sql`select ${goingOn(p)} from ${common} as common`))
      add('begun', fitsAnyOf(table, sql`select ${begunBy(p)} from ${common} as common`))
    }
    if (hasLabel && shape.mayBePart) {
      add('part', hasPart(p), sql`case when ${isSeen} then ${sql.lit(ranks.part)}::real end`)
    }
  }
  if (shape.isNumber) found.push(numbered(seenTickets(db, scope), p.number!))
  if (shape.isAddress && scope.clients !== 'none') found.push(emailed(db, scope, p.typed))
  return { steps, found }
}

function fitsAnyOf(table: string, query: RawBuilder<unknown>) {
  return sql<SqlBool>`${sql.ref(`${table}.words`)} @@ (${query})`
}

/** With the common words that begin so in the place of the last one; null where there are none. */
function goingOn({ others, choices }: Begun) {
  const both = sql`coalesce(${others}::tsquery && common.words, common.words)`
  return sql`coalesce(${choices}::tsquery || ${both}, ${both})`
}

/**
 * For words that begin so the index reads all that it has of each of them. Where there are common ones among them, that is too much:
 * then it is asked for the other words alone, and what it offers is read.
 */
function begunBy({ reach, others, choices }: Begun) {
  return sql`case when common.words is null or ${others}::tsquery is null then ${reach}::tsquery
    else coalesce(${choices}::tsquery || ${others}::tsquery, ${others}::tsquery) end`
}

/** Whether a row is seen is asked of each row that was found: written as a value, because of an "exists" all might be made beforehand. */
function placesOf(db: Db, scope: Scope): Place[] {
  const seen = seenTickets(db, scope)
  const isOne = (row: SelectQueryBuilder<Tables, never, { id: number }>) => sql<SqlBool>`(${row}) is not null`
  const ofTicket = seen.where(sql<SqlBool>`tickets.id = ticket_words.ticket_id`)
  const ofMessage = seen
    .innerJoin('ticket_messages', 'ticket_messages.ticket_id', 'tickets.id')
    .where(sql<SqlBool>`ticket_messages.id = message_words.message_id`)
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
      table: 'message_words',
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
