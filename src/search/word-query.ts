import { sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import { alternativesOf, type Term } from './terms.ts'

/**
 * What somebody typed, as a `tsquery` of the database in text form: each word as written (accents and capitals aside) or by its stem
 * in the language of the desk. Undefined where there are no words in it.
 */
export async function wordQuery(db: Db, text: string): Promise<string | undefined> {
  const alternatives = alternativesOf(text)
  if (alternatives.length === 0) return undefined
  const terms = await termQueries(db, { terms: alternatives.flat().map(queryText) })

  const queries: string[] = []
  for (const alternative of alternatives) {
    const query = conjunction(alternative, terms.splice(0, alternative.length))
    if (query) queries.push(query)
  }
  return queries.length > 0 ? queries.join(' | ') : undefined
}

/** The words of a term consist of letters and digits, so that nothing in them is an operator. */
function queryText({ words, isPrefix }: Term): string {
  return words.map(word => `'${word}'`).join(' <-> ') + (isPrefix ? ':*' : '')
}

interface TermQuery {
  plain: string
  stemmed: string
}

function conjunction(terms: Term[], queries: TermQuery[]): string | undefined {
  const wanted: string[] = []
  const stopWords: string[] = []
  const unwanted: string[] = []
  for (const [at, { isNegated, words }] of terms.entries()) {
    const { plain, stemmed } = queries[at]!
    if (!plain) continue
    // Stems have no places: words that stand next to one another are looked for as they are written.
    const isPhrase = words.length > 1
    if (isNegated) unwanted.push(`!(${plain})`)
    else if (isPhrase) wanted.push(`(${plain})`)
    else if (stemmed) wanted.push(`(${plain} | ${stemmed})`)
    else stopWords.push(`(${plain})`)
  }
  // "The", "of": words that say nothing count only where there are no others.
  const positive = wanted.length > 0 ? wanted : stopWords
  return positive.length > 0 ? `(${[...positive, ...unwanted].join(' & ')})` : undefined
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
