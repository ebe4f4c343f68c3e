import { type QueryCreator, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { bit } from '../../lib/bit.ts'
import type { Page } from '../../lib/page.ts'
import { timestamp } from '../../lib/time.ts'
import { organisationOfClient } from '../organisations/name-of-client.ts'

const columns = [
  'id',
  'first_name',
  'last_name',
  'email',
  'company_name',
  'phone_number',
  'is_active',
  'is_email_verified',
  'is_phone_verified',
  'created_at'
] as const

export type ListedClient = Pick<ClientRow, (typeof columns)[number]> & {
  organisation: { id: number; name: string } | null
}

/**
 * A page of clients, newest first, and the total. A `search` matches literally, in any case, within a name, the full name, the e-mail
 * address, the company or the phone number (decision 33).
 */
export async function searchClients(
  db: Db,
  search: string | undefined,
  { limit, offset }: Page
): Promise<{ clients: ListedClient[]; total: number }> {
  if (search === undefined) {
    const [clients, [counted]] = await Promise.all([newest(db, { limit, offset }), clientCount(db, {})])
    return { clients, total: counted!.total }
  }
  const word = longestWord(search.split('@')[0]!) ?? longestWord(search)
  const match = { pattern: `%${literal(search)}%`, limit, offset }
  const [found] = word ? await indexedMatches(db, { ...match, word }) : await scannedMatches(db, match)
  return { clients: await withIds(db, { ids: found!.ids }), total: found!.total }
}

/** A client in a list, as the contract shows it, with the organisation of who belongs to one. */
export function listedClientView({ organisation, ...client }: ListedClient) {
  return {
    ...client,
    ...(organisation ? { organisation } : {}),
    role: 'client' as const,
    is_active: bit(client.is_active),
    is_email_verified: bit(client.is_email_verified),
    is_phone_verified: bit(client.is_phone_verified),
    created_at: timestamp(client.created_at)
  }
}

/** Escapes the text for LIKE. A line break would match the end of a field, so it becomes a space. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&').replaceAll('\n', ' ')
}

/**
 * The longest run of three or more letters or digits. With fewer, the whole index would be read, which takes longer than the table. Of
 * equally long words the first wins: in an e-mail address the part after the "@" is the least selective.
 */
function longestWord(text: string): string | undefined {
  return text.match(/[\p{L}\p{N}]{3,}/gu)?.reduce((longest, word) => (word.length > longest.length ? word : longest))
}

interface Match extends Pick<Page, 'limit' | 'offset'> {
  pattern: string
}

interface WordMatch extends Match {
  /** A word of the pattern. */
  word: string
}

/**
 * The trigram index reads a long list for each common trigram of the pattern. So the end of the word, which is rarer than its beginning, is
 * looked up first, and up to this many matches are filtered; if there are more, the index is asked for the whole pattern.
 */
const maxWithEnd = 500

const isLike = (text: RawBuilder<unknown>, pattern: string) => sql<SqlBool>`${text} like lower(${pattern}) escape '\\'`
const searchText = sql`search_text`

/**
 * One row: the number of matches, and the ids of the page, newest first. Matches are materialized apart from the page, because with a LIMIT
 * the planner would walk all clients from the newest on.
 */
const indexedMatches = prepared((db, p: WordMatch) => {
  const end = sql`right(${p.word}, greatest(5, (char_length(${p.word}) + 1) / 2))`
  const few = sql<SqlBool>`(select count(*) from with_end) <= ${sql.lit(maxWithEnd)}`
  return matchesAndPage(
    db
      .with(
        cte => cte('with_end').materialized(),
        db =>
          db
            .selectFrom('clients')
            .where(sql<SqlBool>`search_text like '%' || lower(${end}) || '%'`)
            .select(['id', 'search_text'])
            .limit(sql.lit(maxWithEnd + 1))
      )
      .with(
        cte => cte('matches').materialized(),
        db =>
          db
            .selectFrom('with_end')
            .where(isLike(searchText, p.pattern))
            .where(few)
            .select('id')
            .unionAll(
              db.selectFrom('clients').where(isLike(searchText, p.pattern)).where(sql<SqlBool>`not ${few}`).select('id')
            )
      ),
    p
  )
})

const scannedMatches = prepared((db, p: Match) =>
  matchesAndPage(
    db.with(
      cte => cte('matches').materialized(),
      db => db.selectFrom('clients').where(isLike(sql`(search_text || '')`, p.pattern)).select('id')
    ),
    p
  )
)

function matchesAndPage(db: QueryCreator<Tables & { matches: { id: number } }>, p: Match) {
  return db.selectNoFrom(db => [
    sql<number>`(${db.selectFrom('matches').select(db.fn.countAll().as('total'))})`.as('total'),
    sql<
      string[]
    >`array(${db.selectFrom('matches').select('id').orderBy('id', 'desc').limit(p.limit).offset(p.offset)})`.as('ids')
  ])
}

/** Ids as text, as the driver returns them in an array. */
const withIds = prepared((db, p: { ids: string[] }) =>
  listed(db).where('id', '=', sql<number>`any(${p.ids}::bigint[])`).orderBy('id', 'desc')
)

function listed(db: Db) {
  return db.selectFrom('clients').select(columns).select(organisationOfClient.as('organisation'))
}

// Ids follow the order of sign-up, and are indexed.
const newest = prepared((db, p: Pick<Page, 'limit' | 'offset'>) =>
  listed(db).orderBy('id', 'desc').limit(p.limit).offset(p.offset)
)

const clientCount = prepared(db =>
  db.selectFrom('client_counts').select(db => db.fn.sum<number>('clients').as('total'))
)
