import { createHash } from 'node:crypto'

const style =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem;color-scheme:light dark}' +
  'button{font:inherit;padding:.6rem 1.4rem;cursor:pointer}'

/** What these pages may load and where they may send to: nothing but their own style, and to this server alone. */
export const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join('; ')

export const unknownPage = page(
  'This link does not stop any e-mails',
  '<p>It may be an old one: a newer e-mail has one that works.</p>'
)

export const endedPage = page(
  'You get no more e-mails about your tickets',
  '<p>E-mails about the safety of your account still come. You can turn the others on again in your account.</p>'
)

// Without an action the form goes to the address of the page, token and all.
export const questionPage = page(
  'No more e-mails about your tickets?',
  '<form method="post"><button type="submit">Stop these e-mails</button></form>'
)

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<h1>${title}</h1>
${content}
</html>
`
}
