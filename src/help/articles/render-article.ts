import { InvalidFields } from '../../kit/errors.ts'

/** Longer texts are refused: the time to read one grows with its length. */
export const maxMarkdownBytes = 100_000
/** What a short text may become: a table with thousands of empty cells, say. */
const maxHtmlCharacters = 500_000

/** A text of an article as it is stored. */
export interface RenderedArticle {
  html: string
  /** Its words alone, for the search and its snippets. */
  plain: string
  /** The names of the pictures that it shows. */
  pictures: string[]
}

/** Throws `InvalidFields` for what is no text, is too long, or shows a picture that is not ours. */
export async function rendered(markdown: string, field: string): Promise<RenderedArticle> {
  const refused = (message: string) => InvalidFields({ message: `${field}: ${message}`, errors: [field] })
  if (Buffer.byteLength(markdown) > maxMarkdownBytes)
    throw refused(`an article takes no more than ${maxMarkdownBytes} bytes`)
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(markdown)) throw refused('this is no text')
  // Loaded when the first article is saved: it would slow down every start and command.
  const { renderArticle } = await import('./article-markdown.ts')
  const { foreignPicture, ...article } = renderArticle(markdown)
  if (foreignPicture !== undefined) {
    throw refused(`only uploaded pictures can be shown, not ${foreignPicture.slice(0, 200)}`)
  }
  if (article.html.length > maxHtmlCharacters) throw refused('the text becomes too large a page')
  return article
}
