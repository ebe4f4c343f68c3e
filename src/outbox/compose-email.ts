import type { FilledEmail, Paragraph } from '../wording/fill-wording.ts'
import type { Language } from '../wording/languages.ts'

/** What an e-mail says; `text` and `html` say the same. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

/** What a text message says. */
export interface TextContent {
  text: string
}

/** An e-mail of these paragraphs, as plain text and as HTML. */
export function composeEmail({ subject, paragraphs }: FilledEmail, language: Language): EmailContent {
  const text = paragraphs.map(paragraph => (typeof paragraph === 'string' ? wrapped(paragraph) : plain(paragraph)))
  const body = paragraphs.map(paragraph =>
    typeof paragraph === 'string' ? `<p>${escaped(paragraph).replaceAll('\n', '<br>\n')}</p>` : rich(paragraph)
  )
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="${language}">`,
      `<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
      '<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">',
      ...body,
      '</body>',
      '</html>',
      ''
    ].join('\n')
  }
}

function plain(paragraph: Exclude<Paragraph, string>): string {
  if ('quote' in paragraph) return paragraph.quote.replace(/^/gm, '> ')
  return 'link' in paragraph ? paragraph.link : `    ${paragraph.code}`
}

function rich(paragraph: Exclude<Paragraph, string>): string {
  if ('quote' in paragraph) return `<blockquote style="white-space: pre-wrap">${escaped(paragraph.quote)}</blockquote>`
  if ('link' in paragraph) return `<p><a href="${escaped(paragraph.link)}">${escaped(paragraph.link)}</a></p>`
  return `<p><strong style="font-size: 1.6em; letter-spacing: 0.1em">${escaped(paragraph.code)}</strong></p>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** In lines of 72 characters, as plain e-mails are written. */
function wrapped(text: string): string {
  return text.replace(/(?=.{73})(.{1,72}) /g, '$1\n')
}
