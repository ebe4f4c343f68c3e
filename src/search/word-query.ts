import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import { alternativesOf, otherSpelling, type Term } from './terms.ts'

/** What somebody typed, as `tsquery`s of the database in text form. */
export interface WordQuery {
  /** What has to fit: words that begin so as well. */
  query: string
  /** As `query`, but whole words. */
  exact: string
  /** Fits more than `exact`, but an index alone can tell: phrases are words anywhere. */
  whole: string
  /** Has to fit as well, and words as they are written can tell: phrases. Undefined where something may fit without any. */
  phrases: string | undefined
  /** What has to be there for words that begin so, as an index alone can tell. Empty where no word may go on. */
  begun: BegunTerm[]
}

/** Of each alternative what has to be there together. */
interface BegunTerm {
  alternative: number
  /** As whole words, and as words that begin so. */
  whole: string
  begun: string
  /** With what the words begin: as written and by their stem. Empty where they may not go on. */
  beginnings: string[]
  /** Whether it is the last of several, the only one, or may not be there. */
  role: 'other' | 'last' | 'only' | 'not'
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
  const query = anyOf(chosen)
  return {
    query: widest(query),
    exact: wholeWords(query),
    whole: wholeWords(anyOf(anywhere)),
    phrases: phrasesOf(chosen),
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
export const nextTo = / <(?:-|\d+)> /

function wordsAnywhere({ wanted, unwanted }: Parts): Parts {
  return {
    wanted: wanted.flatMap(query => (query.includes(' | ') ? query.split(nextTo).join(' & ') : query.split(nextTo))),
    unwanted: unwanted.filter(query => !nextTo.test(query))
  }
}

function phrasesOf(alternatives: Parts[]): string | undefined {
  const isPhrase = (query: string) => nextTo.test(query) && !query.includes(' | ')
  const phrases = alternatives.map(({ wanted }) => ({ wanted: wanted.filter(isPhrase), unwanted: [] }))
  return phrases.every(({ wanted }) => wanted.length > 0) ? anyOf(phrases) : undefined
}

function begunIn(alternatives: Parts[]): BegunTerm[] {
  const terms = alternatives.flatMap(({ wanted, unwanted }, alternative) => [
    ...wanted.map((query, at) => {
      const role: BegunTerm['role'] = wanted.length === 1 ? 'only' : at === wanted.length - 1 ? 'last' : 'other'
      return { alternative, role, ...beginningsOf(`(${query})`) }
    }),
    ...unwanted.map(query => ({ alternative, role: 'not' as const, ...beginningsOf(`!(${query})`) }))
  ])
  return terms.some(({ beginnings }) => beginnings.length > 0) ? terms : []
}

function beginningsOf(query: string): Pick<BegunTerm, 'begun' | 'whole' | 'beginnings'> {
  const begun = widest(query)
  const beginnings = [...begun.matchAll(/'((?:[^']|'')+)':\*/g)].map(([, word]) => word!.replaceAll("''", "'"))
  return { begun, whole: wholeWords(query), beginnings }
}

/** What begins like a word begins like its stem too, where that is its beginning: then an index is asked once. */
function widest(query: string): string {
  return query.replace(/'([^']+)':\* \| '([^']+)':\*/g, (both, one: string, other: string) => {
    if (one.startsWith(other)) return `'${other}':*`
    return other.startsWith(one) ? `'${one}':*` : both
  })
}

function wholeWords(query: string): string {
  return query.replaceAll("':*", "'")
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
