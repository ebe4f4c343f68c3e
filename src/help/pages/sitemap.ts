import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { DeskSettings } from '../../core/settings/registry.ts'
import { type Html, html } from '../../kit/html.ts'
import { articlePath } from '../articles/article-path.ts'
import { allCategories } from '../articles/categories.ts'
import { type Sight, sightOf, visibleTexts } from '../articles/visibility.ts'

/** As many as a sitemap may name. */
const maxAddresses = 50_000

/** The addresses of all that is public, each with those of its other languages. */
export async function sitemap(db: Db, settings: DeskSettings, base: string): Promise<Html> {
  const categories = await allCategories(db)
  const texts = (await publicTexts(db, sightOf(undefined, settings))).map(text => ({
    ...text,
    path: articlePath(categories, text)
  }))
  const ofArticle = Map.groupBy(texts, ({ id }) => id)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${settings.help_languages.map(locale => html`<url><loc>${base}/help/${locale}</loc></url>\n`)}${texts.map(
  ({ id, path, published_at }) =>
    html`<url><loc>${base}${path}</loc><lastmod>${published_at.toISOString()}</lastmod>${
      ofArticle.get(id)!.length > 1 &&
      ofArticle
        .get(id)!
        .map(each => html`<xhtml:link rel="alternate" hreflang="${each.locale}" href="${base}${each.path}"/>`)
    }</url>\n`
)}</urlset>
`
}

const publicTexts = prepared((db, p: Sight) =>
  visibleTexts(db, p)
    .select(['kb_articles.id', 'kb_articles.category_id', 'kb_texts.locale', 'kb_texts.slug'])
    .select(sql<Date>`kb_texts.published_at`.as('published_at'))
    .orderBy('kb_articles.id')
    .orderBy('kb_texts.locale')
    .limit(sql.lit(maxAddresses))
)
