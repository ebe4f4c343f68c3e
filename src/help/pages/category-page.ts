import { type Html, html } from '../../kit/html.ts'
import { CategoryNotFound } from '../articles/categories.ts'
import { withPaths } from '../reading/article-addresses.ts'
import { type ReadCategory, readableArticles, readableCategories } from '../reading/read-articles.ts'
import { wordsIn } from './help-words.ts'
import { rowsOf } from './home-page.ts'
import { page, searchForm } from './layout.ts'
import type { HelpPage, MovedPage, PageContext } from './page-context.ts'

const rowsOfPage = 200

/** A category with its articles, in groups by the categories in it. Throws `CategoryNotFound` if the reader finds nothing in it. */
export async function categoryPage(context: PageContext): Promise<HelpPage | MovedPage> {
  const { services, settings, locale, sight, params, query } = context
  const { db } = services
  const words = wordsIn(locale)
  const categories = await readableCategories(db, sight)
  const category = categories.find(({ slug }) => slug === params.category)
  if (!category) throw CategoryNotFound()
  const number = /^[1-9]\d{0,3}$/.test(query.page ?? '') ? Number(query.page) : 1
  const place = { page: number, limit: rowsOfPage, offset: (number - 1) * rowsOfPage }
  const { articles, total } = await readableArticles(db, sight, category.id, place)
  const placed = await withPaths(db, articles)
  const groups = Map.groupBy(placed, ({ category_id }) => groupOf(categories, category.id, category_id))
  const path = (each: ReadCategory) => `/help/${locale}/${encodeURIComponent(each.slug)}`
  const parent = categories.find(({ id }) => id === category.parent_id)
  const section = (each: ReadCategory | undefined): Html | undefined => {
    const rows = groups.get(each?.id ?? category.id)
    if (!rows) return undefined
    return html`${each && html`<h2 class="group"><a href="${path(each)}">${each.name}</a></h2>`}${rowsOf(rows, locale)}\n`
  }
  const main = html`<a class="crumb" href="${parent ? path(parent) : `/help/${locale}`}">${parent?.name ?? words.helpCentre}</a>
<div class="head"><h1>${category.name}</h1>${searchForm(locale)}</div>
${section(undefined)}${categories.filter(({ parent_id }) => parent_id === category.id).map(section)}
${total > rowsOfPage && pages(path(category), number, total, locale)}`
  return {
    audience: sight.audience,
    html: page(context, {
      title: category.name,
      main,
      canonical: path(category),
      alternates: settings.help_languages.includes(locale) ? [{ locale, path: path(category) }] : []
    })
  }
}

/** The category right below this one in which an article is shown, or this one itself. */
function groupOf(categories: readonly ReadCategory[], id: number, of: number): number {
  const parentOf = (each: number) => categories.find(category => category.id === each)?.parent_id ?? null
  let at = of
  for (let parent = parentOf(at); at !== id && parent !== null && parent !== id; parent = parentOf(at)) at = parent
  return at
}

function pages(path: string, number: number, total: number, locale: string): Html {
  const words = wordsIn(locale)
  return html`<nav class="pages" aria-label="${words.articlesOf}"><span>${
    number > 1 && html`<a class="btn" rel="prev" href="${path}?page=${number - 1}">${words.earlier}</a>`
  }</span><span>${
    number * rowsOfPage < total && html`<a class="btn" rel="next" href="${path}?page=${number + 1}">${words.more}</a>`
  }</span></nav>`
}
