import { Type } from 'typebox'
import { InvalidFields } from '../../kit/errors.ts'
import { OneOf, OutputText } from '../../kit/schemas.ts'
import type { Picture } from './render-markdown.ts'

/** How a text is meant: what comes without it is plain, and is never read as Markdown. */
export type Format = 'plain' | 'markdown'

export const Format = Type.Optional({
  ...OneOf<Format>(['plain', 'markdown'], 'plain'),
  description:
    'markdown: bold, italic, links, lists, code, quotes and headings are formatted; `![name](file.png)` shows a file of the same message'
})

/** The HTML in the answer about a formatted text. */
export const FormattedHtml = Type.Optional(OutputText('<p>It started <strong>this morning</strong>.</p>'))

/** Longer texts are refused as Markdown: the time to read one grows with its length. */
const maxMarkdownBytes = 100_000

/** The HTML of a text in this format, for storage; null for a plain text. Throws `InvalidFields` if it is too long. */
export async function formattedHtml(
  format: Format | undefined,
  text: string,
  files: readonly Picture[],
  field = 'message'
): Promise<string | null> {
  if (format !== 'markdown') return null
  if (Buffer.byteLength(text) > maxMarkdownBytes) {
    throw InvalidFields({ message: `A formatted text has at most ${maxMarkdownBytes} bytes`, errors: [field] })
  }
  // Loaded when the first formatted text is written: it would slow down every start and command.
  const { renderMarkdown } = await import('./render-markdown.ts')
  return renderMarkdown(text, files)
}

/** What a stored text has beside what was typed. */
export function formatted(html: string | null): { format?: 'markdown'; html?: string } {
  return html === null ? {} : { format: 'markdown', html }
}

/** The answer about what was written, with its HTML if it is formatted. */
export function withHtml<T extends object>(written: T, html: string | null): T & { html?: string } {
  return html === null ? written : { ...written, html }
}
