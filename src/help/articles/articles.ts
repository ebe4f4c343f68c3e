import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { ArticleState, Audience } from '../../core/tables/knowledge-base.ts'
import { failure } from '../../kit/errors.ts'
import { allCategories, audienceOf, type Category, inLocale } from './categories.ts'
import { everything, visibleTexts } from './visibility.ts'

export const ArticleNotFound = failure(404, 'article_not_found', 'There is no such article')
export const TextNotFound = failure(404, 'article_text_not_found', 'The article has no text in this language')

/** A text of an article as staff see it: the latest version, which may be newer than the published one. */
export interface ArticleText {
  title: string
  slug: string
  markdown: string
  html: string
  latest_version: number
  published_version: number | null
  published_at: Date | null
  /** Who wrote the latest version, and when. */
  author_name: string
  /** The API token by which they wrote it. */
  author_token: string | null
  updated_at: Date
}

/** An article as staff see it. */
export interface Article {
  id: number
  category_id: number
  audience: Audience | null
  state: ArticleState
  author_id: number | null
  /** Since when somebody asks for it to be published, and who. */
  publishing_asked_at: Date | null
  publishing_asked_by: string | null
  version: number
  created_at: Date
  updated_at: Date
  texts: Record<string, ArticleText>
  effective_audience: Audience
  /** The level of the chain that sets it: the article itself, or this category. */
  setBy: 'article' | Category
}

/** Throws `ArticleNotFound`. */
export async function articleWith(db: Db, id: number): Promise<Article> {
  const texts = await textsOf(db, { ...everything, id })
  const [first] = texts
  if (!first) throw ArticleNotFound()
  const { category_id, audience, state, author_id, version, created_at, updated_at } = first
  const { publishing_asked_at, publishing_asked_by } = first
  const { audience: effective_audience, setBy } = audienceOf(await allCategories(db), first)
  return {
    ...{ id, category_id, audience, state, author_id, version, created_at, updated_at, effective_audience, setBy },
    ...{ publishing_asked_at, publishing_asked_by },
    texts: Object.fromEntries(
      texts.map(({ locale, text_updated_at, ...row }) => [locale, textIn({ ...row, updated_at: text_updated_at })])
    )
  }
}

/** The title in one of its languages. */
export function titleOf({ texts }: Pick<Article, 'texts'>): string {
  return inLocale(texts, []).text.title
}

function textIn(row: ArticleText): ArticleText {
  const {
    title,
    slug,
    markdown,
    html,
    latest_version,
    published_version,
    published_at,
    author_name,
    author_token,
    updated_at
  } = row
  return {
    title,
    slug,
    markdown,
    html,
    latest_version,
    published_version,
    published_at,
    author_name,
    author_token,
    updated_at
  }
}

const textsOf = prepared((db, p: typeof everything & { id: number }) =>
  visibleTexts(db, p)
    .innerJoin('kb_versions', join =>
      join
        .onRef('kb_versions.article_id', '=', 'kb_texts.article_id')
        .onRef('kb_versions.locale', '=', 'kb_texts.locale')
        .onRef('kb_versions.version', '=', 'kb_texts.latest_version')
    )
    .where('kb_articles.id', '=', p.id)
    .orderBy('kb_texts.id')
    .select(['kb_articles.category_id', 'kb_articles.audience', 'kb_articles.state', 'kb_articles.author_id'])
    .select(['kb_articles.version', 'kb_articles.created_at', 'kb_articles.updated_at'])
    .select('kb_articles.publishing_asked_at')
    .select(
      sql<
        string | null
      >`(select first_name || ' ' || last_name from staff where id = kb_articles.publishing_asked_by)`.as(
        'publishing_asked_by'
      )
    )
    .select(['kb_texts.locale', 'kb_texts.slug', 'kb_texts.latest_version', 'kb_texts.published_version'])
    .select(['kb_texts.published_at', 'kb_versions.title', 'kb_versions.markdown', 'kb_versions.html'])
    .select([
      'kb_versions.author_name',
      'kb_versions.author_token',
      sql<Date>`kb_versions.created_at`.as('text_updated_at')
    ])
)
