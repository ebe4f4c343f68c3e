import { escapeHtml } from './small-page.ts'

/** HTML that is safe to send: its foreign parts are escaped. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

/** A template of HTML: what is put in is escaped, unless it is such a template itself. Lists are joined; null, undefined and false are nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.reduce((all, text, at) => all + textOf(parts[at - 1]) + text) }
}

/** HTML that somebody else has made safe. */
export function trustedHtml(given: string): Html {
  return { html: given }
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(textOf).join('')
}
