import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { picturePath } from './picture-path.ts'
import { slugOf } from './slugs.ts'

/** Deeper lists and quotes stay as they are typed. */
const maxNesting = 20
const linkSchemes = ['http', 'https', 'mailto', 'tel']

const markdown = new MarkdownIt({ html: false, linkify: true })
markdown.set({ maxNesting } as object)
markdown.validateLink = address =>
  /^(\/(?![/\\])|#)/.test(address.trim()) || new RegExp(`^(${linkSchemes.join('|')}):`, 'i').test(address.trim())
// "readme.md" is no address.
markdown.linkify.set({ fuzzyLink: false })

/** Headings get ids, which the table of contents leads to; the title of the page is the only first heading. */
markdown.core.ruler.push('headings', state => {
  const taken = new Set<string>()
  // Where counting goes on: thousands of headings of one name would otherwise be counted from the first each time.
  const counted = new Map<string, number>()
  for (const [at, token] of state.tokens.entries()) {
    if (token.type !== 'heading_open' && token.type !== 'heading_close') continue
    token.tag = token.tag === 'h1' ? 'h2' : token.tag
    if (token.type === 'heading_close') continue
    const words = state.tokens[at + 1]!.children!.map(({ content }) => content).join('')
    const base = `h-${slugOf(words) || 'section'}`
    let id = base
    let number = counted.get(base) ?? 2
    for (; taken.has(id); number++) id = `${base}-${number}`
    counted.set(base, number)
    taken.add(id)
    token.attrSet('id', id)
  }
})

interface Rendered {
  html: string
  plain: string
  pictures: string[]
  /** The first picture that is not one of ours, if any. */
  foreignPicture: string | undefined
}

/** The HTML of an article in Markdown. It has no styles and no scripts, loads nothing from elsewhere, and is safe to show. */
export function renderArticle(text: string): Rendered {
  const pictures = new Set<string>()
  let foreignPicture: string | undefined
  const html = sanitizeHtml(markdown.render(text), {
    allowedTags:
      'p br strong em s a ul ol li code pre blockquote h2 h3 h4 h5 h6 hr img table thead tbody tr th td'.split(' '),
    allowedAttributes: { a: ['href', 'rel'], ol: ['start'], img: ['src', 'alt', 'loading'], '*': ['id'] },
    allowedSchemes: linkSchemes,
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    disallowedTagsMode: 'discard',
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript'],
    nestingLimit: 10 * maxNesting,
    exclusiveFilter: () => false,
    transformTags: {
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: { href, ...(/^[/#]/.test(href) ? {} : { rel: 'noopener noreferrer nofollow' }) }
      }),
      img: (tagName, { src = '', alt = '' }) => {
        const name = picturePath.exec(src)?.[1]
        if (name === undefined) foreignPicture ??= src
        else pictures.add(name)
        return { tagName, attribs: { src, alt, loading: 'lazy' } }
      }
    }
  }).trim()
  return { html, plain: wordsOf(html), pictures: [...pictures], foreignPicture }
}

/** The text of our own HTML, in which every tag ends a word. */
function wordsOf(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return html
    .replaceAll(/<img [^>]*?alt="([^"]*)"[^>]*>/g, ' $1 ')
    .replaceAll(/<\/?(?:strong|em|s|a|code)(?: [^>]*)?>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
