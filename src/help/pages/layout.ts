import { type Html, html, trustedHtml } from '../../kit/html.ts'
import { wordsIn } from './help-words.ts'
import type { PageContext } from './page-context.ts'

export interface Layout {
  title: string
  main: Html
  /** The main part is as wide as a text is read. */
  isSlim?: boolean
  /** Where the page is, without the origin; without one it is not for search engines. */
  canonical?: string
  /** The same page in other languages. */
  alternates?: { locale: string; path: string }[]
  description?: string
  /** Data for search engines (schema.org). */
  data?: object[]
  type?: 'article' | 'website'
  /** It has a search that finds while one types, where scripts run. */
  finds?: boolean
  /** The page is no part of the help centre. */
  isOutside?: boolean
}

/** What every page needs to know of the desk. */
export type PageDesk = Pick<PageContext, 'services' | 'settings' | 'logo' | 'locale'>

/** A whole page in the desk's own look. It needs no script, and loads only its style, the logo and pictures of articles. */
export function page(context: PageDesk, layout: Layout): Html {
  const { settings, logo, locale } = context
  const base = context.services.config.BASE_URL.replace(/\/+$/, '')
  const words = wordsIn(locale)
  const name = settings.name ?? words.support
  const { title, canonical, alternates = [], description, data = [], type = 'website', isOutside = false } = layout
  const fullTitle = title === name ? title : `${title} · ${name}`
  const fallback = alternates.find(each => each.locale === settings.language)
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${fullTitle}</title>
${description && html`<meta name="description" content="${description}">\n`}${
  canonical === undefined
    ? html`<meta name="robots" content="noindex">\n`
    : html`<link rel="canonical" href="${base}${canonical}">
${alternates.map(each => html`<link rel="alternate" hreflang="${each.locale}" href="${base}${each.path}">\n`)}${
  fallback && html`<link rel="alternate" hreflang="x-default" href="${base}${fallback.path}">\n`
}<meta property="og:type" content="${type}">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${name}">
<meta property="og:url" content="${base}${canonical}">
<meta property="og:locale" content="${locale.replace('-', '_')}">
${description && html`<meta property="og:description" content="${description}">\n`}${
  logo && html`<meta property="og:image" content="${base}${logo}">\n`
}`
}<link rel="icon" href="/logo-mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/help/style.css">
${layout.finds && html`<script src="/help/search.js" defer></script>\n`}${data.map(each => html`<script type="application/ld+json">${trustedHtml(jsonFor(each))}</script>\n`)}</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header><div>
<a class="brand" href="/help/${locale}">${
    logo ? html`<img src="${logo}" alt="${name}">` : html`<span>${name}</span>`
  }</a>
<nav aria-label="${words.main}"><a href="/help/${locale}"${!isOutside && html` aria-current="page"`}>${words.helpCentre}</a><a href="/">${words.myTickets}</a><a href="${writePath(settings)}">${words.newTicket}</a></nav>
</div></header>
<main id="main"${layout.isSlim && html` class="slim"`}>
${layout.main}
</main>
<footer>${settings.name && html`<span>${settings.name}</span>`}${
    settings.phone &&
    html`<a href="tel:${settings.phone.replaceAll(/[^\d+]/g, '')}">${words.callUs(settings.phone)}</a>`
  }${settings.privacy_url && html`<a href="${settings.privacy_url}">${words.privacy}</a>`}<span class="by">${words.supportBy} Deskline</span></footer>
</body>
</html>
`
}

/** Where one writes to the desk: without an account, where it allows that. `subject`: what the form begins with. */
export function writePath({ tickets_without_account }: { tickets_without_account: 0 | 1 }, subject = ''): string {
  const query = subject === '' ? '' : `?${new URLSearchParams({ subject })}`
  return `${tickets_without_account === 1 ? '/open' : '/new'}${query}`
}

/** JSON that stays within its element. */
function jsonFor(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

/** The form of the search, which needs no script. */
export function searchForm(locale: string, typed = ''): Html {
  const { search, searchHint: hint } = wordsIn(locale)
  return html`<form class="search" role="search" action="/help/${locale}" method="get"><input type="search" name="search" value="${typed}" maxlength="255" aria-label="${hint}" placeholder="${hint}" required><button class="btn">${search}</button></form>`
}
