import type { Services } from '../../core/services.ts'
import type { DeskSettings } from '../../core/settings/registry.ts'
import { type Html, html } from '../../kit/html.ts'
import type { Sight } from '../articles/visibility.ts'
import { widgetWords } from './widget-words.ts'

/** What a page of the frame is made for: always for a stranger, who sees what is public. */
export interface FrameContext {
  services: Services
  settings: DeskSettings
  locale: string
  sight: Sight
  /** The department that the site has chosen. */
  deptid: number | undefined
  ip: string
}

/** The address of a page of the frame, with what the site has chosen. */
export function framePath({ locale, deptid }: Pick<FrameContext, 'locale' | 'deptid'>, path = '', query = {}): string {
  const given = new URLSearchParams({ ...query, ...(deptid === undefined ? {} : { deptid: String(deptid) }) })
  return `/widget/${locale}${path}${given.size > 0 ? `?${given}` : ''}`
}

/** A page of the widget's frame, in the look of the help centre. Its script only adds to it: the page works without. */
export function framePage(
  context: Pick<FrameContext, 'locale' | 'deptid' | 'settings'>,
  { title, main, back }: { title: string; main: Html; back?: string }
): Html {
  const { locale } = context
  const words = widgetWords(locale)
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/logo-mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/help/style.css">
<link rel="stylesheet" href="/widget/frame.css">
<script src="/widget/frame.js" defer></script>
</head>
<body class="frame">
<main id="main">
${back !== undefined && html`<a class="crumb" href="${back}">${words.back}</a>\n`}<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
}

/** The form of the search, which needs no script. */
export function frameSearch({ locale, deptid }: Pick<FrameContext, 'locale' | 'deptid'>, typed: string): Html {
  const words = widgetWords(locale)
  return html`<form class="search" role="search" action="/widget/${locale}" method="get" data-search>${
    deptid !== undefined && html`<input type="hidden" name="deptid" value="${deptid}">`
  }<input type="search" name="search" value="${typed}" maxlength="255" aria-label="${words.searchHint}" placeholder="${words.searchHint}" autocomplete="off"><button class="btn">${words.search}</button></form>`
}
