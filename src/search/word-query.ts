import { sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import { alternativesOf, otherSpelling, type Term } from './terms.ts'

/** What somebody typed, as `tsquery`s of the database in text form. */
export interface WordQuery {
  /** What has to fit. */
  query: string
  /** Fits more, but an index alone can tell: phrases are words anywhere. The last word is a whole one. */
  whole: string
  /** Undefined where the last word may not go on. */
  begun: Begun | undefined
}

/** As `whole`, but the last word may go on. */
export interface Begun {
  reach: string
  /** With what the last word begins: as written and by its stem. */
  beginnings: string[]
  /** What is looked for together with the last word, and what was offered as another choice. */
  others: string | null
  choices: string | null
}

/**
 * What somebody typed: each word as written (accents and capitals aside) or by its stem in the language of the desk. Undefined where
 * there are no words in it.
 */
export async function wordQuery(db: Db, text: string): Promise<WordQuery | undefined> {
  const alternatives = alternativesOf(text)
  if (alternatives.length === 0) return undefined
  const terms = await queriesOf(db, alternatives.flat())

  const chosen = alternatives
    .map(alternative => partsOf(alternative, terms.splice(0, alternative.length)))
    .filter(({ wanted }) => wanted.length > 0)
  if (chosen.length === 0) return undefined
  const anywhere = chosen.map(wordsAnywhere)
  return {
    query: anyOf(chosen),
    whole: anyOf(anywhere).replaceAll("':*", "'"),
    begun: begunIn(anywhere)
  }
}

/** Of each term its query; where its words have another spelling, either of the two fits. */
async function queriesOf(db: Db, terms: Term[]): Promise<TermQuery[]> {
  const others = terms.map(term => ({ ...term, words: term.words.map(word => otherSpelling(word) ?? word) }))
  const queries = await termQueries(db, { terms: [...terms, ...others].map(queryText) })
  return terms.map((_, at) => {
    const [one, other] = [queries[at]!, queries[at + terms.length]!]
    // A word that says nothing says nothing in another spelling.
    if (!one.stemmed || !other.plain || one.plain === other.plain) return one
    return { plain: `${one.plain} | ${other.plain}`, stemmed: [one.stemmed, other.stemmed].filter(Boolean).join(' | ') }
  })
}

/** The words of a term consist of letters and digits, so that nothing in them is an operator. */
function queryText({ words, isPrefix }: Term): string {
  return words.map(word => `'${word}'`).join(' <-> ') + (isPrefix ? ':*' : '')
}

interface TermQuery {
  plain: string
  stemmed: string
}

interface Parts {
  wanted: string[]
  unwanted: string[]
}

function partsOf(terms: Term[], queries: TermQuery[]): Parts {
  const wanted: string[] = []
  const stopWords: string[] = []
  const unwanted: string[] = []
  for (const [at, { isNegated, words }] of terms.entries()) {
    const { plain, stemmed } = queries[at]!
    if (!plain) continue
    // Stems have no places: words that stand next to one another are looked for as they are written.
    const isPhrase = words.length > 1
    if (isNegated) unwanted.push(plain)
    else if (isPhrase || stemmed === plain) wanted.push(plain)
    else if (stemmed) wanted.push(`${plain} | ${stemmed}`)
    else stopWords.push(plain)
  }
  // "The", "of": words that say nothing count only where there are no others.
  return { wanted: wanted.length > 0 ? wanted : stopWords, unwanted }
}

function anyOf(alternatives: Parts[]): string {
  return alternatives
    .map(({ wanted, unwanted }) => [...wanted.map(query => `(${query})`), ...unwanted.map(query => `!(${query})`)])
    .map(all => `(${all.join(' & ')})`)
    .join(' | ')
}

/** Stands between the words of a phrase. */
const nextTo = / <(?:-|\d+)> /

function wordsAnywhere({ wanted, unwanted }: Parts): Parts {
  return {
    wanted: wanted.flatMap(query => (query.includes(' | ') ? query.split(nextTo).join(' & ') : query.split(nextTo))),
    unwanted: unwanted.filter(query => !nextTo.test(query))
  }
}

function begunIn(alternatives: Parts[]): Begun | undefined {
  const isBegun = (query: string) => query.includes("':*")
  const goesOn = alternatives.find(({ wanted }) => wanted.some(isBegun))
  if (!goesOn) return undefined
  const reach = anyOf(alternatives)
  const others = { ...goesOn, wanted: goesOn.wanted.filter(query => !isBegun(query)) }
  const choices = alternatives.filter(each => each !== goesOn)
  return {
    reach,
    beginnings: [...reach.matchAll(/'((?:[^']|'')+)':\*/g)].map(([, word]) => word!.replaceAll("''", "'")),
    others: others.wanted.length > 0 ? anyOf([others]) : null,
    choices: choices.length > 0 ? anyOf(choices) : null
  }
}

const termQueries = prepared((db, p: { terms: string[] }) =>
  db
    .selectFrom(
      sql<{ term: string; place: number }>`unnest(${p.terms}::text[]) with ordinality`.as<'given'>(
        sql`given (term, place)`
      )
    )
    .select([
      sql<string>`to_tsquery('search_simple', given.term)::text`.as('plain'),
      sql<string>`to_tsquery(('search_' || search_language())::regconfig, given.term)::text`.as('stemmed')
    ])
    .orderBy('given.place')
)
