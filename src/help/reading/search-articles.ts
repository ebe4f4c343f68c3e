import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import type { Page } from '../../lib/page.ts'
import { snippetOf } from '../../tickets/search/snippet.ts'
import { wordQuery } from '../../tickets/search/word-query.ts'
import { effectiveAudience, type Sight, visibleBestTexts } from '../articles/visibility.ts'

interface FoundArticle {
  id: number
  category_id: number
  locale: string
  title: string
  slug: string
  audience: Audience
  /** One line of its text, with ⟦ and ⟧ around each match. */
  snippet: string
}

interface FoundArticles {
  articles: FoundArticle[]
  total: number
  /** More articles have the words than were ranked: `total` is the least. */
  isMore: boolean
}

/**
 * To rank ten thousand articles takes a tenth of a second: of more with these words so many are ranked, found and counted. Those that have them in
 * their title come first, whatever their age, then the newest.
 */
const [mostTitled, mostOthers] = [200, 300]
/** Of so many of the newest texts with the words it is looked up whether the reader sees them; of all only where that was not enough. */
const lookedAt = 400
/** Text after this many characters is not marked. */
const maxMarked = 20_000

/** The articles with these words, as the desk's search understands them, in the language in which the reader would get each. */
export async function searchArticles(
  db: Db,
  sight: Sight,
  typed: string,
  { limit, offset }: Page
): Promise<FoundArticles> {
  const words = await wordQuery(db, typed)
  if (!words) return { articles: [], total: 0, isMore: false }
  const { query, exact, marked } = words
  const sought = { ...sight, query, exact, limit, offset }
  const newest = await found(db, { ...sought, lookedAt })
  const isEnough = newest.some(({ others, looked }) => others > mostOthers || looked < lookedAt)
  const rows = isEnough ? newest : await found(db, { ...sought, lookedAt: null })
  const { total = 0, others = 0 } = rows[0] ?? {}
  return {
    articles: rows.map(({ total: _, others: __, looked: ___, plain, ...article }) => ({
      ...article,
      snippet: snippetOf(plain, marked, typed)
    })),
    total,
    isMore: others > mostOthers
  }
}

interface Sought extends Sight {
  query: string
  exact: string
  lookedAt: number | null
  limit: number
  offset: number
}

const found = prepared((db, p: Sought) =>
  db
    .with('newest', () => newestWith(db, p))
    .with('titled', () => seenOf(db, p, newestWith(db, p, titleWords), mostTitled))
    .with('others', () => seenOf(db, p, sql<WithId>`newest`, mostOthers + 1))
    .with('hits', db =>
      db
        .selectFrom(eb =>
          eb
            .selectFrom('titled')
            .select(['text_id', 'category_id', 'audience'])
            .union(eb.selectFrom('others').select(['text_id', 'category_id', 'audience']))
            .as('matching')
        )
        .innerJoin('kb_texts', 'kb_texts.id', 'matching.text_id')
        .select(['kb_texts.article_id as id', 'matching.category_id', 'matching.audience'])
        .select(['kb_texts.locale', 'kb_texts.slug', 'kb_texts.published_version as version'])
        .select(
          sql<number>`ts_rank(kb_texts.words, ${p.exact}::tsquery) + 0.1 * ts_rank(kb_texts.words, ${p.query}::tsquery)`.as(
            'rank'
          )
        )
        .select(sql<number>`(count(*) over ())::int`.as('total'))
        .orderBy('rank', 'desc')
        .orderBy('kb_texts.article_id', 'desc')
        .limit(p.limit)
        .offset(p.offset)
    )
    .selectFrom('hits')
    .innerJoin('kb_versions', join =>
      join
        .onRef('kb_versions.article_id', '=', 'hits.id')
        .onRef('kb_versions.locale', '=', 'hits.locale')
        .onRef('kb_versions.version', '=', 'hits.version')
    )
    .select(['hits.id', 'hits.category_id', 'hits.locale', 'hits.slug', 'hits.audience', 'hits.total'])
    .select([
      'kb_versions.title',
      sql<number>`(select count(*)::int from others)`.as('others'),
      sql<number>`(select count(*)::int from newest)`.as('looked'),
      sql<string>`left(kb_versions.plain, ${sql.lit(maxMarked)})`.as('plain')
    ])
    .orderBy('hits.rank', 'desc')
    .orderBy('hits.id', 'desc')
)

interface WithId {
  id: number
}

/** Has an index of its own: in the other one all words are alike. */
const titleWords = sql`ts_filter(kb_texts.words, '{a}')`

/** The newest texts that have the words, whoever sees them: the bound stands before the look-ups, which are dearer. */
function newestWith(db: Db, p: Sought, words: RawBuilder<unknown> = sql`kb_texts.words`) {
  return db
    .selectFrom('kb_texts')
    .where(sql<boolean>`${words} @@ ${p.query}::tsquery`)
    .select('kb_texts.id')
    .orderBy('kb_texts.article_id', 'desc')
    .limit(sql<number>`${p.lookedAt}::bigint`)
}

/** Of these texts the newest that the reader sees. */
function seenOf(db: Db, p: Sought, texts: Expression<WithId>, most: number) {
  return (
    visibleBestTexts(db, p)
      // Few texts: as an array they are looked up, where a join would read all.
      .where(sql<boolean>`kb_texts.id = any(array(select id from ${texts} as sought))`)
      .select(['kb_texts.id as text_id', 'kb_articles.category_id', effectiveAudience.as('audience')])
      .orderBy('kb_articles.id', 'desc')
      .limit(sql.lit(most))
  )
}
