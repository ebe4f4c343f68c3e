import { countArticleSearch } from '../../core/rate-limits/use-limits.ts'
import { type Html, html, trustedHtml } from '../../kit/html.ts'
import { rowsOf } from '../pages/home-page.ts'
import { withPaths } from '../reading/article-addresses.ts'
import { readableArticle, readableArticles } from '../reading/read-articles.ts'
import { searchArticles } from '../reading/search-articles.ts'
import { type FrameContext, framePage, framePath, frameSearch } from './frame.ts'
import { widgetWords } from './widget-words.ts'

const maxShown = 6

/** Where the widget begins: the search, what it has found, and the way to write. */
export async function findPage(context: FrameContext, typed: string): Promise<Html> {
  const { services, sight, locale, ip } = context
  const words = widgetWords(locale)
  const first = { page: 1, limit: maxShown, offset: 0 }
  if (typed !== '') countArticleSearch(services, ip)
  const { articles, total, isMore } =
    typed === ''
      ? { ...(await readableArticles(services.db, sight, undefined, first)), isMore: false }
      : await searchArticles(services.db, sight, typed, first)
  const rows = articles.map(article => ({ ...article, path: framePath(context, `/articles/${article.id}`) }))
  const write = framePath(context, '/write', typed === '' ? {} : { subject: typed })
  const told = total === 0 ? words.nothingFound : words.found(total, isMore)
  const main = html`${frameSearch(context, typed)}
<div id="found">${typed !== '' && html`<p class="muted group" role="status">${told}</p>`}${rows.length > 0 && rowsOf(rows, locale)}
<p class="after"><a class="btn primary" href="${write}">${words.write}</a></p></div>`
  return framePage(context, { title: words.question, main })
}

/** An article. Throws `ArticleNotFound`. */
export async function articlePage(context: FrameContext, id: number): Promise<Html> {
  const { services, sight, locale } = context
  const words = widgetWords(locale)
  const [article] = await withPaths(services.db, [await readableArticle(services.db, sight, { id })])
  const { title, html: text, path } = article!
  const main = html`<div class="prose" lang="${article!.locale}">
${trustedHtml(text)}
</div>
<form class="acts" method="post" action="${framePath(context, `/articles/${id}`)}"><button class="btn">${words.answered}</button><a class="btn" href="${framePath(context, '/write')}">${words.write}</a></form>
<p class="after"><a class="link" href="${path}" target="_blank" rel="noopener">${words.whole}</a></p>`
  return framePage(context, { title, main, back: framePath(context) })
}

export function toldPage(context: Pick<FrameContext, 'locale' | 'deptid' | 'settings'>, told: string): Html {
  const words = widgetWords(context.locale)
  return framePage(context, {
    title: words.help,
    main: html`<p role="status">${told}</p>`,
    back: framePath(context)
  })
}
