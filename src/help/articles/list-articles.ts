import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { ArticleState, Audience } from '../../core/tables/knowledge-base.ts'
import type { Page } from '../../lib/page.ts'
import { wordQuery } from '../../tickets/search/word-query.ts'
import { allCategories, withDescendants } from './categories.ts'
import { effectiveAudience, type Sight, visibleTexts } from './visibility.ts'

export interface ArticleFilter {
  state?: ArticleState | undefined
  category_id?: number | undefined
  /** A part of a title, or words of a text. */
  search?: string | undefined
  locale?: string | undefined
  /** Fewer readers than this share say that it helped, of at least five. */
  isUnhelpful?: boolean
  /** Somebody asks for it to be published. */
  isAskedFor?: boolean
}

export interface ListedArticle {
  id: number
  category_id: number
  audience: Audience | null
  effective_audience: Audience
  state: ArticleState
  version: number
  updated_at: Date
  locale: string
  title: string
  slug: string
  /** Languages with a text, and those of them whose latest text is not published. */
  locales: string[]
  unpublished: string[]
  publishing_asked: boolean
  helpful: number
  not_helpful: number
}

/** The articles that staff see, drafts too, the last changed first, each with its title in the first of these languages. */
export async function listArticles(
  db: Db,
  { locales }: Pick<Sight, 'locales'>,
  { state, category_id, search, locale, isUnhelpful = false, isAskedFor = false }: ArticleFilter,
  { limit, offset }: Page
): Promise<{ articles: ListedArticle[]; total: number }> {
  const categories = category_id === undefined ? null : withDescendants(await allCategories(db), category_id)
  const pattern = search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  const words = search === undefined ? null : ((await wordQuery(db, search))?.query ?? null)
  const rows = await listed(db, {
    ...{ audience: 'staff', drafts: true, locales, categories, pattern, words, isUnhelpful, isAskedFor, limit, offset },
    state: state ?? null,
    locale: locale ?? null
  })
  const articles = rows.map(({ total: _, ...article }) => article)
  return { articles, total: rows[0]?.total ?? 0 }
}

/** Whether fewer than 60 % of at least five readers say that this article helped. */
export function helpsTooFew(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    select count(is_helpful) >= 5 and count(*) filter (where is_helpful) < 0.6 * count(is_helpful)
    from kb_feedback where article_id = ${id})`
}

const listed = prepared(
  (
    db,
    p: Sight & {
      categories: readonly number[] | null
      state: ArticleState | null
      locale: string | null
      pattern: string | null
      words: string | null
      isUnhelpful: boolean
      isAskedFor: boolean
      limit: number
      offset: number
    }
  ) =>
    db
      .with('seen', () =>
        visibleTexts(db, p)
          .innerJoin('kb_versions', join =>
            join
              .onRef('kb_versions.article_id', '=', 'kb_texts.article_id')
              .onRef('kb_versions.locale', '=', 'kb_texts.locale')
              .onRef('kb_versions.version', '=', 'kb_texts.latest_version')
          )
          .where(sql<boolean>`kb_articles.state = coalesce(${p.state}, kb_articles.state)`)
          .where(sql<boolean>`(not ${p.isAskedFor}::boolean or kb_articles.publishing_asked_at is not null)`)
          .select(sql<boolean>`kb_articles.publishing_asked_at is not null`.as('publishing_asked'))
          .where(
            sql<boolean>`(${p.categories}::bigint[] is null or kb_articles.category_id = any(${p.categories}::bigint[]))`
          )
          .select(['kb_articles.id', 'kb_articles.category_id', 'kb_articles.audience', 'kb_articles.state'])
          .select(['kb_articles.version', 'kb_articles.updated_at', effectiveAudience.as('effective_audience')])
          .select(['kb_texts.locale', 'kb_texts.slug', 'kb_versions.title'])
          .select(
            sql<boolean>`kb_texts.published_version is distinct from kb_texts.latest_version`.as('is_unpublished')
          )
          // What is published has its words beside it; the few other texts are read.
          .select(
            sql<boolean>`${p.pattern}::text is not null and (search_fold(kb_versions.title) like search_fold(${p.pattern})
              or coalesce(kb_texts.words @@ ${p.words}::tsquery, false)
              or (kb_texts.published_version is distinct from kb_texts.latest_version
                and search_fold(kb_versions.plain) like search_fold(${p.pattern})))`.as('is_found')
          )
          .select(sql<number>`coalesce(array_position(${p.locales}::varchar[], kb_texts.locale), 100)`.as('preference'))
      )
      .with('chosen', db =>
        db
          .selectFrom('seen')
          .distinctOn('seen.id')
          .where(
            sql<boolean>`exists (select from seen as any_text where any_text.id = seen.id
              and any_text.locale = coalesce(${p.locale}, any_text.locale)
              and (${p.pattern}::text is null or any_text.is_found))`
          )
          .orderBy('seen.id')
          .orderBy('seen.preference')
          .select(['seen.id', 'seen.category_id', 'seen.audience', 'seen.effective_audience', 'seen.state'])
          .select([
            'seen.version',
            'seen.updated_at',
            'seen.locale',
            'seen.title',
            'seen.slug',
            'seen.publishing_asked'
          ])
      )
      .selectFrom('chosen')
      .leftJoinLateral(
        db =>
          db
            .selectFrom('kb_feedback')
            .whereRef('kb_feedback.article_id', '=', 'chosen.id')
            .select(sql<number>`(count(*) filter (where is_helpful))::int`.as('helpful'))
            .select(sql<number>`(count(*) filter (where not is_helpful))::int`.as('not_helpful'))
            .as('said'),
        join => join.onTrue()
      )
      .where(sql<boolean>`(not ${p.isUnhelpful}::boolean or ${helpsTooFew(sql`chosen.id`)})`)
      .select(['chosen.id', 'chosen.category_id', 'chosen.audience', 'chosen.effective_audience', 'chosen.state'])
      .select(['chosen.version', 'chosen.updated_at', 'chosen.locale', 'chosen.title', 'chosen.slug'])
      .select('chosen.publishing_asked')
      .select([
        sql<string[]>`array(select locale from seen where seen.id = chosen.id order by locale)`.as('locales'),
        sql<string[]>`array(select locale from seen where seen.id = chosen.id and is_unpublished order by locale)`.as(
          'unpublished'
        ),
        sql<number>`helpful`.as('helpful'),
        sql<number>`not_helpful`.as('not_helpful'),
        sql<number>`(count(*) over ())::int`.as('total')
      ])
      .orderBy('chosen.updated_at', 'desc')
      .orderBy('chosen.id', 'desc')
      .limit(p.limit)
      .offset(p.offset)
)
