import type { Earlier, FilledEmail, Paragraph } from '../../core/wording/fill-wording.ts'
import type { Item } from '../../core/wording/item.ts'
import { escapedHtml } from './email-page.ts'

/** The content of an e-mail; `text` and `html` are the same content. */
export interface EmailContent {
  subject: string
  text: string
  html: string
  /** The position in `text` for a list of files that could not be attached, and its heading; in `html` the position is `leftOutMark`. */
  leftOut?: { at: number; words: string; link?: string | undefined }
}

/** The content of a text message. */
export interface TextContent {
  text: string
}

type Words = Extract<Paragraph, { words: string }>

/** The place in the HTML for the list of files that could not be attached. Nobody else can write it, since all input is escaped. */
const leftOutMark = '<!--left out-->'

/** The line of our e-mails above which people reply, in any language. Mail programs' quotes are folded from there on. */
const replyMark = /^##-.{1,200}-##$/

/** An e-mail as plain text and as the HTML of its paragraphs; the page around them is the same for all e-mails. */
export function composeEmail({ subject, paragraphs }: FilledEmail): EmailContent {
  const at = paragraphs.findIndex(paragraph => typeof paragraph === 'object' && 'leftOutFiles' in paragraph)
  const leftOut = paragraphs[at] as { leftOutFiles: { words: string; link?: string | undefined } } | undefined
  return {
    subject,
    text: `${textOf(paragraphs)}\n`,
    html: `${preview(paragraphs)}${htmlOf(paragraphs)}`,
    ...(leftOut ? { leftOut: { at: textOf(paragraphs.slice(0, at)).length, ...leftOut.leftOutFiles } } : {})
  }
}

/** The preview that mail programs list, which would otherwise be the line above which people reply. */
function preview(paragraphs: readonly Paragraph[]): string {
  const [first] = paragraphs
  if (typeof first !== 'string' || !replyMark.test(first)) return ''
  const words = paragraphs.find(paragraph => typeof paragraph === 'object' && 'words' in paragraph)
  if (!words) return ''
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${beginningOf(words as Words)}</div>\n`
}

/** As HTML. */
function beginningOf({ words, html }: Words): string {
  const beginning = (text: string) => [...text.slice(0, 1000).replace(/\s+/g, ' ').trim()].slice(0, 150).join('')
  // Cut within an entity, the rest of it would be shown.
  if (html !== undefined) return beginning(html.replace(/<\/?\w[^>]*>/g, ' ')).replace(/&\w*$/, '')
  return escapedHtml(beginning(words))
}

function textOf(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .map(plain)
    .filter(text => text !== '')
    .join('\n\n')
}

function htmlOf(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .map(rich)
    .filter(html => html !== '')
    .join('\n')
}

/** The e-mail with a list of the files that could not be attached, and where they are. */
export function withLeftOutFiles(content: EmailContent, files: readonly Item[]): EmailContent {
  const { text, html, leftOut } = content
  if (!leftOut) return content
  const { at, words, link } = leftOut
  const told: Paragraph[] = files.length > 0 ? [words, { items: files }, ...(link === undefined ? [] : [{ link }])] : []
  return {
    ...content,
    text: `${text.slice(0, at)}${told.length > 0 ? `\n\n${textOf(told)}` : ''}${text.slice(at)}`,
    html: html.replace(leftOutMark, () => htmlOf(told))
  }
}

function plain(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return replyMark.test(paragraph) ? paragraph : wrapped(paragraph)
  if ('quote' in paragraph) return quoted(paragraph.quote)
  if ('link' in paragraph)
    return paragraph.name === undefined ? paragraph.link : `${paragraph.name}:\n${paragraph.link}`
  if ('code' in paragraph) return `    ${paragraph.code}`
  if ('words' in paragraph) return paragraph.words
  if ('signature' in paragraph) return paragraph.signature
  if ('items' in paragraph) return paragraph.items.map(plainItem).join('\n')
  if ('earlier' in paragraph) {
    return paragraph.earlier.map(({ attribution, text }) => `${attribution}\n${quoted(text)}`).join('\n\n')
  }
  return ''
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>')
}

const paragraphStyle = 'margin:0 0 16px'
const quoteStyle = 'margin:0 0 16px;padding:0 12px;border-left:3px solid #c9c4bb'

// Each paragraph sets its direction by its first letter, so that an Arabic name does not turn the words around it.
function rich(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') {
    const looks = replyMark.test(paragraph)
      ? 'class="quiet" style="margin:0 0 16px;font-size:12px"'
      : `style="${paragraphStyle}"`
    return `<p dir="auto" ${looks}>${lines(paragraph)}</p>`
  }
  if ('quote' in paragraph) {
    return `<blockquote dir="auto" class="quiet" style="${quoteStyle}">${lines(paragraph.quote)}</blockquote>`
  }
  if ('link' in paragraph) return richLink(paragraph)
  if ('code' in paragraph) {
    return `<p style="${paragraphStyle}"><strong style="font-size:1.6em;letter-spacing:0.1em">${escapedHtml(paragraph.code)}</strong></p>`
  }
  if ('words' in paragraph) return `<div dir="auto" style="${paragraphStyle}">${richWords(paragraph)}</div>`
  if ('signature' in paragraph) return `<p dir="auto" style="${paragraphStyle}">${lines(paragraph.signature)}</p>`
  if ('items' in paragraph) {
    const items = paragraph.items.map(item => `<li dir="auto">${richItem(item)}</li>`).join('')
    return `<ul style="${paragraphStyle};padding:0 24px">${items}</ul>`
  }
  return 'earlier' in paragraph ? richEarlier(paragraph.earlier) : leftOutMark
}

function richWords({ words, html }: Words): string {
  return html === undefined ? lines(words) : html.replace(/<(\w+)(?=[ >])/g, (tag, name) => tag + styleOf(name))
}

const headingStyle = 'margin:0 0 12px;font-size:17px;line-height:1.3'
const listStyle = 'margin:0 0 12px;padding:0 0 0 24px'

/** Mail programs have styles of their own for the rest. */
const tagStyles: Record<string, string> = {
  p: 'margin:0 0 12px',
  ul: listStyle,
  ol: listStyle,
  blockquote: quoteStyle,
  pre: 'margin:0 0 12px;padding:8px 12px;border:1px solid #c9c4bb;border-radius:4px;white-space:pre-wrap',
  code: 'font-family:Menlo,Consolas,monospace;font-size:0.9em',
  img: 'max-width:100%',
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, headingStyle]))
}

function styleOf(name: string): string {
  return tagStyles[name] ? ` style="${tagStyles[name]}"` : ''
}

/** Gmail and others fold quotes by this class. */
function richEarlier(earlier: readonly Earlier[]): string {
  const mails = earlier.map(
    ({ attribution, text }) =>
      `<p dir="auto" class="quiet" style="margin:0 0 8px;font-size:13px">${escapedHtml(attribution)}</p>\n` +
      `<blockquote type="cite" dir="auto" class="gmail_quote quiet" style="${quoteStyle}">${lines(text)}</blockquote>`
  )
  return mails.length > 0
    ? `<div class="gmail_quote" style="margin:24px 0 0;border-top:1px solid #c9c4bb;padding:16px 0 0">\n${mails.join('\n')}\n</div>`
    : ''
}

function plainItem(item: Item): string {
  return typeof item === 'string' ? `- ${item}` : `- ${item.label}\n  ${item.link}`
}

function richItem(item: Item): string {
  if (typeof item === 'string') return escapedHtml(item)
  return `<a href="${escapedHtml(item.link)}">${escapedHtml(item.label)}</a>`
}

/** A button stands beside the one before it; what has a name and is no button is less important than what is said. */
function richLink({ link, name, isButton }: { link: string; name?: string; isButton?: boolean }): string {
  const [href, shown] = [escapedHtml(link), escapedHtml(name ?? link)]
  if (isButton) return `<a href="${href}" class="button" style="${buttonStyle}">${shown}</a>`
  if (name === undefined) return `<p style="${paragraphStyle}"><a href="${href}">${shown}</a></p>`
  return `<p class="quiet" style="margin:24px 0 0;border-top:1px solid #c9c4bb;padding:16px 0 0;font-size:13px"><a href="${href}">${shown}</a></p>`
}

const buttonStyle =
  'display:inline-block;margin:0 12px 16px 0;padding:11px 22px;border:1px solid #8a857a;border-radius:8px;color:inherit;font-weight:600;text-decoration:none'

/** Keeps line breaks and blanks, also in mail programs that do not know `white-space`. */
function lines(text: string): string {
  return escapedHtml(text)
    .replace(/^ | (?= )/gm, '&nbsp;')
    .replaceAll('\n', '<br>\n')
}

/** Wraps lines at 72 characters, as is usual in plain e-mails. */
function wrapped(text: string): string {
  return text.replace(/(?=.{73})(.{1,72}) /g, '$1\n')
}
