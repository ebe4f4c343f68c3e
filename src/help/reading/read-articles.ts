import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import type { Page } from '../../lib/page.ts'
import { ArticleNotFound } from '../articles/articles.ts'
import { allCategories, type Category, chainOf, inLocale, withDescendants } from '../articles/categories.ts'
import { effectiveAudience, type Sight, visibleArticles, visibleTexts } from '../articles/visibility.ts'

/** A category as a reader sees it. */
export interface ReadCategory {
  id: number
  parent_id: number | null
  locale: string
  name: string
  slug: string
  /** How many articles the reader finds in it and below it: never none (K3). */
  article_count: number
}

export interface ReadListing {
  id: number
  locale: string
  title: string
  slug: string
  category_id: number
  updated_at: Date
}

export interface ReadArticle extends ReadListing {
  html: string
  plain: string
  audience: Audience
  /** All its languages that the reader may read, in their order. */
  languages: { locale: string; title: string; slug: string }[]
}

/** The categories in which this reader finds something, in their order. */
export async function readableCategories(db: Db, sight: Sight): Promise<ReadCategory[]> {
  const [categories, counts] = [await allCategories(db), await countsOf(db, sight)]
  const found = new Map<number, number>()
  for (const { category_id, articles } of counts) {
    for (const { id } of chainOf(categories, category_id)) found.set(id, (found.get(id) ?? 0) + articles)
  }
  return [...categories.values()]
    .filter(({ id }) => found.has(id))
    .map(category => ({ ...shownCategory(category, sight.locales), article_count: found.get(category.id)! }))
}

/** A category in the first of these languages that it has. */
function shownCategory(
  { id, parent_id, texts }: Category,
  locales: readonly string[]
): Omit<ReadCategory, 'article_count'> {
  const { locale, text } = inLocale(texts, locales)
  return { id, parent_id, locale, ...text }
}

/** The articles of this reader by title: all, or those of a category and below it. */
export async function readableArticles(
  db: Db,
  sight: Sight,
  categoryId: number | undefined,
  { limit, offset }: Page
): Promise<{ articles: ReadListing[]; total: number }> {
  const categories = categoryId === undefined ? null : withDescendants(await allCategories(db), categoryId)
  const rows = await listed(db, { ...sight, categories, limit, offset })
  return { articles: rows.map(({ total: _, ...article }) => article), total: rows[0]?.total ?? 0 }
}

/** The article with this id, or with this address now or formerly, in the reader's best language (K5). Throws `ArticleNotFound`. */
export async function readableArticle(
  db: Db,
  sight: Sight,
  { id, slug, locale }: { id?: number | undefined; slug?: string | undefined; locale?: string | undefined }
): Promise<ReadArticle> {
  const { locales } = sight
  const owners = slug === undefined ? [] : await ownersOfSlug(db, { slug, locale: locale ?? null, locales })
  const ids = slug === undefined ? [id!] : owners.map(({ article_id }) => article_id)
  for (const each of ids.filter(each => id === undefined || each === id)) {
    // What an unseen article is called in another language hides nothing.
    const [article] = await byId(db, { ...sight, id: each })
    if (article) return article
  }
  throw ArticleNotFound()
}

const countsOf = prepared((db, p: Sight) =>
  visibleTexts(db, p)
    .select(['kb_articles.category_id', sql<number>`count(distinct kb_articles.id)::int`.as('articles')])
    .groupBy('kb_articles.category_id')
)

const listed = prepared((db, p: Sight & { categories: readonly number[] | null; limit: number; offset: number }) =>
  visibleArticles(db, p)
    .where(
      sql<boolean>`(${p.categories}::bigint[] is null or kb_articles.category_id = any(${p.categories}::bigint[]))`
    )
    .select(['kb_articles.id', 'kb_articles.category_id', 'kb_texts.locale', 'kb_texts.slug', 'kb_versions.title'])
    .select(sql<Date>`kb_texts.published_at`.as('updated_at'))
    .select(sql<number>`(count(*) over ())::int`.as('total'))
    .orderBy(sql`search_fold(kb_versions.title)`)
    .orderBy('kb_articles.id')
    .limit(p.limit)
    .offset(p.offset)
)

const byId = prepared((db, p: Sight & { id: number }) =>
  visibleArticles(db, p)
    .where('kb_articles.id', '=', p.id)
    .select(['kb_articles.id', 'kb_articles.category_id', 'kb_texts.locale', 'kb_texts.slug', 'kb_versions.title'])
    .select(['kb_versions.html', 'kb_versions.plain', effectiveAudience.as('audience')])
    .select(sql<Date>`kb_texts.published_at`.as('updated_at'))
    .select(
      sql<ReadArticle['languages']>`(
        select json_agg(json_build_object('locale', text.locale, 'title', version.title, 'slug', text.slug)
          order by array_position(${p.locales}::varchar[], text.locale))
        from kb_texts as text join kb_versions as version on version.article_id = text.article_id
          and version.locale = text.locale and version.version = text.published_version
        where text.article_id = kb_articles.id and text.locale = any(${p.locales}::varchar[]))`.as('languages')
    )
)

// Two languages may use the same address: that of the reader's best language is meant.
const ownersOfSlug = prepared((db, p: { slug: string; locale: string | null; locales: readonly string[] }) =>
  db
    .selectFrom('kb_slugs')
    .where('slug', '=', p.slug)
    .where(
      sql<boolean>`(${p.locale}::varchar is null or locale = ${p.locale} or locale = any(${p.locales}::varchar[]))`
    )
    .orderBy(sql`array_position(${p.locales}::varchar[], locale)`)
    .select('article_id')
    .limit(20)
)
