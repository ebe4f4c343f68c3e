import { type SqlBool, sql } from 'kysely'
import type { Actor, SystemActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { DeskSettings } from '../../core/settings/registry.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'

/** What a reader may see of the knowledge base, and in which language. */
export interface Sight {
  audience: Audience
  /** Whether articles and texts that are not published are seen too. */
  drafts: boolean
  /** The language that was asked for, that of the desk, and the others in their order: of an article the first that it has is shown (K5). */
  locales: readonly string[]
}

/** What is published for this reader; for nobody, what is public. */
export function sightOf(
  actor: Actor | SystemActor | undefined,
  settings: Pick<DeskSettings, 'language' | 'help_languages'>,
  locale?: string
): Sight {
  const { language, help_languages } = settings
  const wanted = [locale, language, ...help_languages].filter(each => each !== undefined)
  const locales = [...new Set(wanted)].filter(each => help_languages.includes(each))
  return { audience: audienceWith(actor), drafts: false, locales }
}

/** The narrowest audience that this reader belongs to. */
export function audienceWith(actor: Actor | SystemActor | undefined): Audience {
  if (actor === undefined) return 'public'
  return actor.population === 'client' ? 'clients' : 'staff'
}

/** All that staff see: drafts and archived articles too (K4), in every language. */
export const everything: Sight = { audience: 'staff', drafts: true, locales: [] }

/**
 * The one rule of who sees which text of an article (K1): within a query on `kb_articles`, `kb_texts`, and the chain of categories
 * `kb_categories`, `parent`, `grandparent`. Of all audiences of the chain the narrowest counts (K2).
 */
function kbVisible(p: Sight) {
  return sql<SqlBool>`(
    ${effectiveAudience} <= ${p.audience}::kb_audience
    and (${p.drafts}::boolean or (kb_articles.state = 'published' and kb_texts.published_version is not null
      and kb_texts.locale = any(${p.locales}::varchar[]))))`
}

export const effectiveAudience = sql<Audience>`greatest(
  kb_articles.audience, kb_categories.audience, parent.audience, grandparent.audience)`

/** A query on the texts that this reader may see, one row for each language of an article. Every read of articles goes through here. */
export function visibleTexts(db: Db, p: Sight) {
  return db
    .selectFrom('kb_articles')
    .innerJoin('kb_texts', 'kb_texts.article_id', 'kb_articles.id')
    .innerJoin('kb_categories', 'kb_categories.id', 'kb_articles.category_id')
    .leftJoin('kb_categories as parent', 'parent.id', 'kb_categories.parent_id')
    .leftJoin('kb_categories as grandparent', 'grandparent.id', 'parent.parent_id')
    .where(kbVisible(p))
}

/** The same with one row for each article: its text in the first of the reader's languages that it is published in (K5), and its version. */
export function visibleArticles(db: Db, p: Sight) {
  return visibleBestTexts(db, p).innerJoin('kb_versions', join =>
    join
      .onRef('kb_versions.article_id', '=', 'kb_texts.article_id')
      .onRef('kb_versions.locale', '=', 'kb_texts.locale')
      .onRef('kb_versions.version', '=', 'kb_texts.published_version')
  )
}

/** The same without the version, which is large. */
export function visibleBestTexts(db: Db, p: Sight) {
  return visibleTexts(db, p).where(
    sql<SqlBool>`not exists (select from kb_texts as better
      where better.article_id = kb_texts.article_id and better.published_version is not null
        and array_position(${p.locales}::varchar[], better.locale) < array_position(${p.locales}::varchar[], kb_texts.locale))`
  )
}
