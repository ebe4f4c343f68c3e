import { type Html, html, trustedHtml } from '../../kit/html.ts'
import { articlePath } from '../articles/article-path.ts'
import { allCategories, categoryIn, inLocale } from '../articles/categories.ts'
import { type ReadArticle, readableArticle } from '../reading/read-articles.ts'
import { dayIn, languageName, wordsIn } from './help-words.ts'
import { page, writePath } from './layout.ts'
import type { HelpPage, MovedPage, PageContext } from './page-context.ts'
import { formToken } from './reader-of-pages.ts'

/** A table of contents is for texts of this many parts. */
const leastParts = 3
const descriptionLength = 160

/** An article in the language of its address. A former address, or another category or language in it, leads to where it is. */
export async function articlePage(context: PageContext): Promise<HelpPage | MovedPage> {
  const { services, settings, locale, sight, params, query, reader } = context
  const article = await readableArticle(services.db, sight, { slug: params.slug!, locale })
  const categories = await allCategories(services.db)
  const path = articlePath(categories, article)
  if (path !== `/help/${locale}/${encodeURIComponent(params.category!)}/${encodeURIComponent(params.slug!)}`) {
    return { to: path }
  }
  const words = wordsIn(locale)
  const isPublic = article.audience === 'public'
  const category = inLocale(categoryIn(categories, article.category_id).texts, [locale]).text
  const categoryPath = `/help/${locale}/${encodeURIComponent(category.slug)}`
  const alternates = article.languages.map(each => ({
    ...each,
    path: articlePath(categories, { ...each, category_id: article.category_id })
  }))
  const changed = words.changedOn(dayIn(locale, article.updated_at, settings.time_zone))
  const others = alternates.filter(each => each.locale !== locale)
  const description = summaryOf(article.plain)
  const main = html`<a class="crumb" href="${categoryPath}">${category.name}</a>
<article>
<h1>${article.title}</h1>
<p class="muted about"><time datetime="${article.updated_at.toISOString()}">${changed}</time>${others.map(
    each =>
      html` · <a class="link" lang="${each.locale}" hreflang="${each.locale}" href="${each.path}">${ownWords(each.locale)}</a>`
  )}</p>
${contents(article.html, locale)}<div class="prose">
${trustedHtml(article.html)}
</div>
</article>
${feedback(context, article, isPublic || !reader ? undefined : formToken(services, reader), query.answer)}
<p class="after">${words.stillAQuestion} <a class="link" href="${writePath(settings)}">${words.writeToUs}</a></p>`
  return {
    audience: isPublic ? 'public' : sight.audience,
    html: page(context, {
      title: article.title,
      main,
      isSlim: true,
      type: 'article',
      description,
      ...(isPublic
        ? { canonical: path, alternates, data: dataOf(context, article, { path, description, category, categoryPath }) }
        : {})
    })
  }
}

/** "auf Deutsch", in the words of that language. */
function ownWords(locale: string): string {
  return wordsIn(locale).inLanguage(languageName(locale, locale))
}

function contents(text: string, locale: string): Html | undefined {
  const parts = [...text.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)]
  if (parts.length < leastParts) return undefined
  return html`<nav class="card toc" aria-label="${wordsIn(locale).onThisPage}"><h2>${wordsIn(locale).onThisPage}</h2><ul>${parts.map(
    ([, id, words]) => html`<li><a href="#${id}">${trustedHtml(words!.replaceAll(/<[^>]*>/g, ''))}</a></li>`
  )}</ul></nav>
`
}

/** Whether it helped: two buttons, and after a no a field for what is missing. Nothing of it needs a script. */
function feedback(
  { locale, settings }: PageContext,
  { id }: ReadArticle,
  token: string | undefined,
  answer: string | undefined
): Html {
  const words = wordsIn(locale)
  const fields = html`<input type="hidden" name="article_id" value="${id}"><input type="hidden" name="locale" value="${locale}">${
    token !== undefined && html`<input type="hidden" name="reader" value="${token}">`
  }`
  if (answer === 'yes' || answer === 'sent') {
    return html`<section class="card ask" id="feedback" role="status"><b>${words.thankYou}</b></section>`
  }
  if (answer === 'no') {
    return html`<section class="card ask" id="feedback"><b role="status">${words.thankYou}</b><form class="words" method="post" action="/help/feedback">${fields}<input type="hidden" name="is_helpful" value="0"><label>${words.whatIsMissing}<textarea name="comment" maxlength="2000"></textarea></label><button class="btn">${words.send}</button> <a class="btn" href="${writePath(settings)}">${words.writeToUs}</a></form></section>`
  }
  return html`<section class="card ask" id="feedback"><h2><b>${words.didThisHelp}</b></h2><form method="post" action="/help/feedback">${fields}<button class="btn" name="is_helpful" value="1">${words.yes}</button><button class="btn" name="is_helpful" value="0">${words.no}</button></form></section>`
}

function summaryOf(plain: string): string {
  if (plain.length <= descriptionLength) return plain
  const cut = plain.slice(0, descriptionLength - 1)
  return `${cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : undefined)}…`.toWellFormed()
}

function dataOf(
  { services, settings, logo, locale }: PageContext,
  { title, updated_at }: ReadArticle,
  of: { path: string; description: string; category: { name: string }; categoryPath: string }
): object[] {
  const base = services.config.BASE_URL.replace(/\/+$/, '')
  const organisation = { '@type': 'Organization', name: settings.name ?? wordsIn(locale).support }
  const crumbs = [
    [wordsIn(locale).helpCentre, `/help/${locale}`],
    [of.category.name, of.categoryPath],
    [title, of.path]
  ]
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: title,
      description: of.description,
      inLanguage: locale,
      dateModified: updated_at.toISOString(),
      mainEntityOfPage: base + of.path,
      author: organisation,
      publisher: { ...organisation, ...(logo ? { logo: base + logo } : {}) }
    },
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: crumbs.map(([name, path], at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name,
        item: `${base}${path}`
      }))
    }
  ]
}
