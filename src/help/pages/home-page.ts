import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { countArticleSearch } from '../../core/rate-limits/use-limits.ts'
import { type Html, html, trustedHtml } from '../../kit/html.ts'
import { escapeHtml } from '../../kit/small-page.ts'
import { type Sight, visibleArticles } from '../articles/visibility.ts'
import { withPaths } from '../reading/article-addresses.ts'
import { type ReadCategory, readableArticles, readableCategories } from '../reading/read-articles.ts'
import { searchArticles } from '../reading/search-articles.ts'
import { languageName, wordsIn } from './help-words.ts'
import { page, searchForm, writePath } from './layout.ts'
import type { HelpPage, PageContext } from './page-context.ts'

/** With fewer articles one list says more than cards. */
const leastForCards = 6
const maxFound = 20

/** The first page of the help centre: a search, and the topmost categories with what helped most in each. */
export async function homePage(context: PageContext): Promise<HelpPage> {
  const { services, settings, locale, sight } = context
  const { db } = services
  const words = wordsIn(locale)
  const categories = await readableCategories(db, sight)
  const top = categories.filter(({ parent_id }) => parent_id === null)
  const count = top.reduce((sum, { article_count }) => sum + article_count, 0)
  const content =
    count < leastForCards
      ? await listOf(db, sight, locale)
      : html`<div class="cats">${await cards(db, sight, locale, top)}</div>`
  const main = html`<div class="hero"><h1>${words.question}</h1>${searchForm(locale)}</div>
<div id="found">${content}
<section class="card ask"><div><b>${words.notFound}</b><p class="t2">${words.notFoundHint}</p></div>${
    context.reader
      ? html`<a class="btn" href="/">${words.myTickets}</a><a class="btn primary" href="/new">${words.newTicket}</a>`
      : html`<a class="btn" href="/sign-in">${words.signIn}</a><a class="btn primary" href="${writePath(settings)}">${words.writeToUs}</a>`
  }</section></div>`
  return {
    audience: sight.audience,
    html: page(context, {
      title: words.helpCentre,
      main,
      finds: true,
      canonical: `/help/${locale}`,
      alternates: settings.help_languages.map(each => ({ locale: each, path: `/help/${each}` }))
    })
  }
}

async function cards(db: Db, sight: Sight, locale: string, top: readonly ReadCategory[]): Promise<Html[]> {
  const best = await withPaths(db, await bestOf(db, sight))
  return top.map(
    ({ id, name, slug, article_count }) =>
      html`<section class="card"><h2><a href="/help/${locale}/${encodeURIComponent(slug)}">${name}</a><span>${article_count}</span></h2><ul aria-label="${wordsIn(locale).helpedMost(name)}">${best
        .filter(({ top_id }) => top_id === id)
        .map(
          article => html`<li><a href="${article.path}">${article.title}${inOther(article, locale)}</a></li>`
        )}</ul></section>`
  )
}

async function listOf(db: Db, sight: Sight, locale: string): Promise<Html> {
  const { articles } = await readableArticles(db, sight, undefined, { page: 1, limit: leastForCards, offset: 0 })
  if (articles.length === 0) return html`<p class="t2">${wordsIn(locale).nothingHere}</p>`
  return rowsOf(await withPaths(db, articles), locale)
}

/** What a search has found, as words of the desk. */
export async function searchPage(context: PageContext, typed: string, ip: string): Promise<HelpPage> {
  const { services, settings, locale, sight } = context
  const words = wordsIn(locale)
  countArticleSearch(services, ip)
  const first = { page: 1, limit: maxFound, offset: 0 }
  const { articles, total, isMore } = await searchArticles(services.db, sight, typed, first)
  const placed = await withPaths(services.db, articles)
  // Whoever is signed in has a form of their own.
  const { tickets_without_account } = context.reader ? { tickets_without_account: 0 as const } : settings
  const write = html`<a class="link" href="${writePath({ tickets_without_account }, typed)}">${words.writeToUs}</a>`
  const main = html`<div class="head"><h1>${words.helpCentre}</h1></div>
${searchForm(locale, typed)}
<div id="found"><p class="muted group" role="status">${total === 0 ? words.nothingFound : words.found(total, isMore)}</p>
${total > 0 && rowsOf(placed, locale)}
<p class="after">${total > 0 && `${words.notWhatYouLookFor} `}${write}${total === 0 && words.takenOver}</p></div>`
  return {
    audience: sight.audience,
    html: page(context, { title: `${typed} · ${words.search}`, main, isSlim: true, finds: true })
  }
}

interface Row {
  path: string
  title: string
  locale: string
  snippet?: string
}

/** A list of articles, each marked if it is in another language (K5). */
export function rowsOf(articles: readonly Row[], locale: string): Html {
  return html`<ul class="card">${articles.map(
    article =>
      html`<li><a class="row" href="${article.path}"><b${article.locale !== locale && html` lang="${article.locale}"`}>${article.title}</b>${inOther(article, locale)}${
        article.snippet !== undefined && html`<span class="sub">${marked(article.snippet)}</span>`
      }</a></li>`
  )}</ul>`
}

function inOther({ locale: its }: { locale: string }, locale: string): Html | undefined {
  if (its === locale) return undefined
  return html` <span class="badge">${wordsIn(locale).inLanguage(languageName(its, locale))}</span>`
}

function marked(snippet: string): Html {
  return trustedHtml(escapeHtml(snippet).replaceAll('⟦', '<mark>').replaceAll('⟧', '</mark>'))
}

const bestOf = prepared((db, p: Sight) =>
  db
    .with('ranked', () =>
      visibleArticles(db, p)
        .select(['kb_articles.id', 'kb_articles.category_id', 'kb_texts.locale', 'kb_texts.slug'])
        .select(['kb_versions.title', sql<number>`coalesce(grandparent.id, parent.id, kb_categories.id)`.as('top_id')])
        .select(
          sql<number>`row_number() over (partition by coalesce(grandparent.id, parent.id, kb_categories.id) order by
            (select count(*) from kb_feedback where article_id = kb_articles.id and is_helpful) desc, kb_articles.id)`.as(
            'place'
          )
        )
    )
    .selectFrom('ranked')
    .where('place', '<=', 3)
    .select(['id', 'category_id', 'top_id', 'locale', 'slug', 'title'])
    .orderBy('top_id')
    .orderBy('place')
)
