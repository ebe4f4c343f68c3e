import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { alternativesOf, type Term } from './terms.ts'

/** A search as `tsquery`s in text form, and what it finds in a text. */
export interface WordQuery {
  /** What has to match: words may be prefixes. */
  query: string
  /** The same with whole words. */
  exact: string
  /** The words to mark in a snippet, folded. */
  marked: MarkedWord[]
}

export interface MarkedWord {
  word: string
  /** Whether the word in the text may be longer. */
  isOpen: boolean
}

/** A search, each word as it is written (ignoring accents, case and the spelling of umlauts) or by its stem. Undefined if it has no words. */
export async function wordQuery(db: Db, text: string): Promise<WordQuery | undefined> {
  const alternatives = alternativesOf(text)
  const terms = alternatives.flat()
  if (terms.length === 0) return undefined
  const lexemes = await lexemesOf(db, { texts: terms.map(({ words }) => words.join(' ')) })

  const chosen = alternatives
    .map(alternative => partsOf(alternative, lexemes.splice(0, alternative.length)))
    .filter(({ wanted }) => wanted.length > 0)
  if (chosen.length === 0) return undefined
  const query = chosen
    .map(({ wanted, unwanted }) => [...wanted.map(each => `(${each})`), ...unwanted.map(each => `!(${each})`)])
    .map(all => `(${all.join(' & ')})`)
    .join(' | ')
  const marked = chosen.flatMap(({ wanted, stems }) => [...markedIn(wanted.join(' ')), ...stems])
  return { query, exact: query.replaceAll("':*", "'"), marked }
}

/** Of a term: its words as they are written, with their places, and their stems. Stop words have no stem. */
interface Lexemes {
  plain: string
  stems: string[]
}

interface Parts {
  wanted: string[]
  unwanted: string[]
  stems: MarkedWord[]
}

function partsOf(terms: Term[], lexemes: Lexemes[]): Parts {
  const parts: Parts = { wanted: [], unwanted: [], stems: [] }
  const stopWords: string[] = []
  for (const [at, { isNegated, isPrefix }] of terms.entries()) {
    const { plain, stems } = lexemes[at]!
    if (!plain) continue
    const written = isPrefix ? `${plain}:*` : plain
    // Stems have no places, so phrases are searched as they are written.
    const isPhrase = plain.includes(' <')
    if (isNegated) parts.unwanted.push(plain)
    else if (isPhrase) parts.wanted.push(written)
    else if (stems.length === 0) stopWords.push(plain)
    else {
      parts.wanted.push([written, stems.map(quoted).join(' & ')].join(' | '))
      parts.stems.push(...stems.map(word => ({ word, isOpen: true })))
    }
  }
  // Stop words such as "the" and "of" count only if there are no others.
  return parts.wanted.length > 0 ? parts : { ...parts, wanted: stopWords }
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`
}

function markedIn(query: string): MarkedWord[] {
  return [...query.matchAll(/'((?:[^']|'')+)'(:\*)?/g)].map(([, word, prefix]) => ({
    word: word!.replaceAll("''", "'"),
    isOpen: prefix !== undefined
  }))
}

const lexemesOf = prepared((db, p: { texts: string[] }) =>
  db
    .selectFrom(
      sql<{ text: string; place: number }>`unnest(${p.texts}::text[]) with ordinality`.as<'given'>(
        sql`given (text, place)`
      )
    )
    .select([
      sql<string>`phraseto_tsquery('simple', search_fold(given.text))::text`.as('plain'),
      sql<string[]>`tsvector_to_array(search_stems(given.text))`.as('stems')
    ])
    .orderBy('given.place')
)
