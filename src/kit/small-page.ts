import { createHash } from 'node:crypto'

const style =
  ':root{color-scheme:light dark}' +
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem;overflow-wrap:anywhere}' +
  'h1{font-size:1.6rem;line-height:1.25}' +
  'button{font:inherit;padding:.6rem 1.4rem;cursor:pointer}'

/** The CSP of such a page: it may load only its own style, and submit only to this server. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join('; ')

export const smallPageHeaders = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }

/** A minimal page for links in e-mails. `content` is HTML: pass all foreign text through `escaped`. */
export function smallPage(title: string, content: string, language = 'en'): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}
