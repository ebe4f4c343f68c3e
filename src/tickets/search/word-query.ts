import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { alternativesOf, otherSpelling, type Term } from './terms.ts'

/** A search as `tsquery`s in text form. */
export interface WordQuery {
  /** What has to match, with prefixes. */
  query: string
  /** As `query`, but whole words. */
  exact: string
  /** Matches more than `exact`, but an index alone can check it: phrases are words in any position. */
  whole: string
  /** The phrases, which have to match the words as they are written. Undefined if something may match without any. */
  phrases: string | undefined
  /** What has to be there for prefixes, as an index alone can check. Empty if there are no prefixes. */
  begun: BegunTerm[]
}

/** The terms of one alternative, which have to be there together. */
interface BegunTerm {
  alternative: number
  /** As whole words and as prefixes. */
  whole: string
  begun: string
  /** The prefixes: as written and as their stem. Empty if none is allowed. */
  beginnings: string[]
  /** Whether it is the last of several, the only one, or excluded. */
  role: 'other' | 'last' | 'only' | 'not'
}

/** A search, each word as written (ignoring accents and case) or by its stem in the language of the desk. Undefined if it has no words. */
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

/** The query of each term; if its words have another spelling, either of the two matches. */
async function queriesOf(db: Db, terms: Term[]): Promise<TermQuery[]> {
  const others = terms.map(term => ({ ...term, words: term.words.map(word => otherSpelling(word) ?? word) }))
  const queries = await termQueries(db, { terms: [...terms, ...others].map(queryText) })
  return terms.map((_, at) => {
    const [one, other] = [queries[at]!, queries[at + terms.length]!]
    // The other spelling of a stop word is a stop word too.
    if (!one.stemmed || !other.plain || one.plain === other.plain) return one
    return { plain: `${one.plain} | ${other.plain}`, stemmed: [one.stemmed, other.stemmed].filter(Boolean).join(' | ') }
  })
}

/** Words consist of letters and digits only, so that nothing in them is an operator. */
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
    // Stems have no positions, so phrases are searched as they are written.
    const isPhrase = words.length > 1
    if (isNegated) unwanted.push(plain)
    else if (isPhrase || stemmed === plain) wanted.push(plain)
    else if (stemmed) wanted.push(`${plain} | ${stemmed}`)
    else stopWords.push(plain)
  }
  // Stop words such as "the" and "of" count only if there are no others.
  return { wanted: wanted.length > 0 ? wanted : stopWords, unwanted }
}

function anyOf(alternatives: Parts[]): string {
  return alternatives
    .map(({ wanted, unwanted }) => [...wanted.map(query => `(${query})`), ...unwanted.map(query => `!(${query})`)])
    .map(all => `(${all.join(' & ')})`)
    .join(' | ')
}

/** Between the words of a phrase. */
export const phraseOperator = / <(?:-|\d+)> /

function wordsAnywhere({ wanted, unwanted }: Parts): Parts {
  return {
    wanted: wanted.flatMap(query =>
      query.includes(' | ') ? query.split(phraseOperator).join(' & ') : query.split(phraseOperator)
    ),
    unwanted: unwanted.filter(query => !phraseOperator.test(query))
  }
}

function phrasesOf(alternatives: Parts[]): string | undefined {
  const isPhrase = (query: string) => phraseOperator.test(query) && !query.includes(' | ')
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

/** Words with the prefix also match its stem if the stem is a prefix of it: then one index lookup is enough. */
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
