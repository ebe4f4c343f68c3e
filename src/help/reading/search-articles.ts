import { type SqlBool, sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import type { Page } from '../../lib/page.ts'
import { snippetOf } from '../../tickets/search/snippet.ts'
import { wordQuery } from '../../tickets/search/word-query.ts'
import { effectiveAudience, type Sight, visibleBestTexts } from '../articles/visibility.ts'

export interface FoundArticle {
  id: number
  category_id: number
  locale: string
  title: string
  slug: string
  audience: Audience
  /** One line of its text, with ⟦ and ⟧ around each match. */
  snippet: string
}

/** Of more articles with these words only the newest are ranked, found and counted: to rank ten thousand takes a tenth of a second. */
const mostRanked = 500
/** Text after this many characters is not marked. */
const maxMarked = 20_000

/** The articles with these words, as the desk's search understands them, in the language in which the reader would get each. */
export async function searchArticles(
  db: Db,
  sight: Sight,
  typed: string,
  { limit, offset }: Page
): Promise<{ articles: FoundArticle[]; total: number }> {
  const words = await wordQuery(db, typed)
  if (!words) return { articles: [], total: 0 }
  const { query, exact, marked } = words
  const rows = await found(db, { ...sight, query, exact, limit, offset })
  return {
    articles: rows.map(({ total: _, plain, ...article }) => ({ ...article, snippet: snippetOf(plain, marked, typed) })),
    total: rows[0]?.total ?? 0
  }
}

const found = prepared((db, p: Sight & { query: string; exact: string; limit: number; offset: number }) =>
  db
    .with('matching', () =>
      visibleBestTexts(db, p)
        .where(sql<SqlBool>`kb_texts.words @@ ${p.query}::tsquery`)
        .select(['kb_texts.id as text_id', 'kb_articles.category_id', effectiveAudience.as('audience')])
        .orderBy('kb_articles.id', 'desc')
        .limit(sql.lit(mostRanked))
    )
    .with('hits', db =>
      db
        .selectFrom('matching')
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
    .select([
      'hits.id',
      'hits.category_id',
      'hits.locale',
      'hits.slug',
      'hits.audience',
      'hits.total',
      'kb_versions.title'
    ])
    .select(sql<string>`left(kb_versions.plain, ${sql.lit(maxMarked)})`.as('plain'))
    .orderBy('hits.rank', 'desc')
    .orderBy('hits.id', 'desc')
)
