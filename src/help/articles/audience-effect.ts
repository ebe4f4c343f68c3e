import { type SqlBool, sql } from 'kysely'
import type { DeskActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import { type LinkedTicket, linkedTickets } from './article-links.ts'
import { audienceOf, type Category, isNarrower } from './categories.ts'
import { everything, visibleTexts } from './visibility.ts'

const maxTold = 100

/** What a change of audience or place does to what is published (K2, K12). */
export interface Effect {
  /** Articles that more people see than before, and that fewer see. */
  more_visible: number
  less_visible: number
  /** The first of them. */
  articles: { id: number; title: string; before: Audience; after: Audience }[]
  /** The tickets that link those that fewer see, as far as the actor sees them (K7). */
  tickets: LinkedTicket[]
}

/** `of`: the articles of the categories below one, or a single article with its new place. */
export async function effectOf(
  db: Db,
  actor: DeskActor,
  of: { before: ReadonlyMap<number, Category>; after: ReadonlyMap<number, Category> } & (
    | { categoryId: number }
    | { article: Placed & { id: number } }
  )
): Promise<Effect> {
  const rows = await published(db, { ...everything, id: 'article' in of ? of.article.id : null })
  const articles = rows.flatMap(({ id, title, ...former }) => {
    const before = audienceOf(of.before, former).audience
    const after = audienceOf(of.after, 'article' in of ? of.article : former).audience
    return before === after ? [] : [{ id, title, before, after }]
  })
  const narrowed = articles.filter(({ before, after }) => isNarrower(after, before))
  return {
    more_visible: articles.length - narrowed.length,
    less_visible: narrowed.length,
    articles: articles.slice(0, maxTold),
    tickets: await linkedTickets(
      db,
      actor,
      narrowed.map(({ id }) => id)
    )
  }
}

interface Placed {
  category_id: number
  audience: Audience | null
}

const published = prepared((db, p: typeof everything & { id: number | null }) =>
  visibleTexts(db, p)
    .innerJoin('kb_versions', join =>
      join
        .onRef('kb_versions.article_id', '=', 'kb_texts.article_id')
        .onRef('kb_versions.locale', '=', 'kb_texts.locale')
        .onRef('kb_versions.version', '=', 'kb_texts.published_version')
    )
    .where('kb_articles.state', '=', 'published')
    .where(sql<SqlBool>`kb_articles.id = coalesce(${p.id}::bigint, kb_articles.id)`)
    .distinctOn('kb_articles.id')
    .orderBy('kb_articles.id')
    .orderBy('kb_texts.id')
    .select(['kb_articles.id', 'kb_versions.title', 'kb_articles.category_id', 'kb_articles.audience'])
)
