import { type Html, html } from '../../kit/html.ts'
import { wordsIn } from './help-words.ts'
import { type PageDesk, page, searchForm } from './layout.ts'

/** The one page for all that is unknown or unseen: it always offers to sign in, so that it tells nothing (K3, K10). */
export function notFoundPage(context: PageDesk): Html {
  const words = wordsIn(context.locale)
  const main = html`<h1>${words.pageMissing}</h1>
<p class="about t2">${words.pageMissingHint}</p>
<p class="about"><a class="btn" href="/sign-in">${words.signIn}</a></p>
${searchForm(context.locale)}`
  return page(context, { title: words.pageMissing, main, isSlim: true })
}
