import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

/** A file of the message, which the text may name as a picture. */
export interface Picture {
  fileName: string
  fileType: string
  /** Where it is downloaded. */
  path: string
}

/** Deeper lists and quotes stay as they are typed. */
const maxNesting = 20
const linkSchemes = ['http', 'https', 'mailto', 'tel']

/** The rules of Markdown that people use in messages. All others are off, so that nothing that is typed disappears or turns into something unexpected. */
const inlineRules = [
  'text',
  'linkify',
  'newline',
  'escape',
  'backticks',
  'emphasis',
  'link',
  'autolink',
  'balance_pairs'
]
const blockRules = ['fence', 'blockquote', 'list', 'heading', 'paragraph']
const finishingRules = ['emphasis', 'fragments_join']
const coreRules = ['normalize', 'block', 'inline', 'linkify', 'text_join']

const markdown = new MarkdownIt('zero', { html: false, linkify: true, breaks: true, maxNesting } as object)
markdown.enable([...inlineRules, ...blockRules, ...coreRules, ...finishingRules], true)
markdown.validateLink = address => new RegExp(`^(${linkSchemes.join('|')}):`, 'i').test(address.trim())
// "readme.md" is no address.
markdown.linkify.set({ fuzzyLink: false })

/** `![words](name.png)` with the name of a file of the message. Of anything else only the words remain to see: nothing is loaded from elsewhere. */
markdown.inline.ruler.before('link', 'picture', (state, silent) => {
  if (!state.src.startsWith('![', state.pos)) return false
  const end = state.md.helpers.parseLinkLabel(state, state.pos + 1, false)
  if (end < 0 || state.src[end + 1] !== '(') return false
  const named = state.md.helpers.parseLinkDestination(state.src, end + 2, state.posMax)
  if (!named.ok || state.src[named.pos] !== ')') return false
  const picture = pictureNamed(named.str, (state.env as { pictures: readonly Picture[] }).pictures)
  if (!picture) return false
  if (!silent) {
    const token = state.push('picture', 'img', 0)
    token.attrs = [
      ['src', picture.path],
      ['alt', state.src.slice(state.pos + 2, end) || picture.fileName]
    ]
  }
  state.pos = named.pos + 1
  return true
})
markdown.renderer.rules.picture = (tokens, index, options, _env, renderer) =>
  renderer.renderToken(tokens, index, options)

function pictureNamed(name: string, pictures: readonly Picture[]): Picture | undefined {
  const isNamed = ({ fileName }: Picture) => fileName === name || fileName === decoded(name)
  return pictures.find(picture => isNamed(picture) && /^image\/(?!svg)/.test(picture.fileType))
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The HTML of a text in Markdown. It has no styles and no scripts, loads nothing from elsewhere, and is safe to show. */
export function renderMarkdown(text: string, pictures: readonly Picture[]): string {
  const paths = new Set(pictures.map(({ path }) => path))
  return sanitizeHtml(markdown.render(text, { pictures }), {
    allowedTags: 'p br strong em a ul ol li code pre blockquote h1 h2 h3 h4 h5 h6 img'.split(' '),
    allowedAttributes: { a: ['href', 'rel', 'target'], ol: ['start'], img: ['src', 'alt'] },
    allowedSchemes: linkSchemes,
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    disallowedTagsMode: 'discard',
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript'],
    nestingLimit: 10 * maxNesting,
    // Of a link to nothing, `[words]()`, the words remain.
    exclusiveFilter: ({ tag, attribs }) =>
      tag === 'a' && !attribs.href ? 'excludeTag' : tag === 'img' && !paths.has(attribs.src ?? ''),
    transformTags: {
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: { href, rel: 'noopener noreferrer nofollow', target: '_blank' }
      })
    }
  }).trim()
}
