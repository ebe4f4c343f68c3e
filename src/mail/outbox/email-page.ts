import type { Language } from '../../core/wording/languages.ts'
import { contrast, white } from '../../lib/contrast.ts'
import type { Brand } from './brand.ts'

/** The default colour, as in the pages. */
const ownAccent = '#2b57c8'
const ink = '#1f1d1a'

/**
 * The HTML page around every e-mail: the logo or name of the desk above the content, its other addresses below. It loads nothing, runs nothing,
 * fits a phone, and supports dark mode. `logo` is the Content-ID of the attached image.
 */
export function emailPage(
  { subject, html: body, language }: { subject: string; html: string; language: Language },
  { brand, logo }: { brand: Brand; logo: string | undefined }
): string {
  const accent = brand.accent ?? ownAccent
  // Text needs more contrast than a line.
  const link = contrast(accent, white) >= 4.5 ? accent : ink
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapedHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
a { color: ${link} }
.quiet { color: #625d55 }
@media (max-width: 480px) { .space { padding: 0 !important } .card { padding: 20px 16px !important; border-radius: 0 !important } }
@media (prefers-color-scheme: dark) {
.page { background: #1b1a18 !important; color: #ece9e4 !important }
.card { background: #262421 !important; color: #ece9e4 !important }
.quiet { color: #b3ada3 !important }
a { color: #9ab6ff !important }
.button { color: inherit !important; border-color: #7d786e !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f4f1;color:${ink}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f6f4f1">
<tr><td class="space" align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:640px">
<tr><td class="card" style="text-align:left;text-align:start;background:#ffffff;color:${ink};border-top:4px solid ${accent};border-radius:4px;padding:24px 28px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word">
${head(brand, logo)}${body}
</td></tr>
${foot(brand)}</table>
</td></tr>
</table>
</body>
</html>
`
}

/** Always on white, since many logos are invisible on a dark background. */
function head({ name }: Brand, logo: string | undefined): string {
  const alt = escapedHtml(name ?? '')
  const shown = logo
    ? `<img src="cid:${logo}" alt="${alt}" height="36" style="height:36px;max-width:220px;object-fit:contain;background:#ffffff;border:0;border-radius:4px;padding:4px;font-weight:600">`
    : alt
  return shown && `<p dir="auto" style="margin:0 0 20px;font-size:17px;font-weight:600">${shown}</p>\n`
}

/** The Content-ID of the attached logo. */
export function logoContentId(digest: string): string {
  return `logo-${digest.slice(0, 16)}@deskline`
}

/** The page after its logo was removed meanwhile. */
export function withoutLogo(page: string): string {
  return page.replace(/<img src="cid:logo-[^>]*>/, image => /alt="([^"]*)"/.exec(image)?.[1] ?? '')
}

function foot({ name, phone, privacyUrl }: Brand): string {
  const privacy =
    privacyUrl && `<a class="quiet" href="${escapedHtml(privacyUrl)}">${escapedHtml(hostOf(privacyUrl))}</a>`
  const facts = [name && escapedHtml(name), phone && escapedHtml(phone), privacy].filter(Boolean)
  if (facts.length === 0) return ''
  return `<tr><td class="quiet" dir="auto" align="center" style="padding:12px;font-family:sans-serif;font-size:12px;color:#625d55">${facts.join(' · ')}</td></tr>\n`
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}
