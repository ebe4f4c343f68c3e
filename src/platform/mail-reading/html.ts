import { compile, type FormatCallback } from 'html-to-text'
import sanitizeHtml from 'sanitize-html'

/** Deeper nesting is reduced to its text. */
const maxNesting = 100
const maxHtmlCharacters = 2_000_000
const maxStyleCharacters = 1_000

/** These two enclose a signature in text made from HTML. The mail's own text is cleared of them. */
export const signatureBegins = '\ue002'
export const signatureEnds = '\ue003'

export interface CleanHtml {
  /** Safe to show in a sandboxed frame; inline images are referenced as `cid:…`. */
  html: string
  /** The same as plain text, with > before quoted lines. */
  text: string
  /** Images embedded in the HTML itself. */
  images: { contentId: string; type: string; content: Buffer }[]
}

/**
 * Sanitizes HTML: no scripts, no styles of its own, no forms, no remote content. The addresses of its pictures elsewhere are added to `remote`: an image
 * names its own by its number there, in `data-remote`.
 */
export function cleanHtml(given: string, remote: string[] = []): CleanHtml {
  // An unclosed head or title would swallow the rest.
  return cleaned(
    given,
    headTags.filter(tag => new RegExp(`</${tag}`, 'i').test(given)),
    remote
  )
}

const headTags = ['title', 'head']

function cleaned(given: string, unreadTags: readonly string[], remote: string[]): CleanHtml {
  const images: CleanHtml['images'] = []
  const html = sanitizeHtml(given.slice(0, maxHtmlCharacters).replace(/[\0\ue000-\ue00f]/g, ''), {
    allowedTags,
    allowedAttributes: {
      '*': ['style', 'class', 'id', 'dir', 'lang', 'align', 'valign', 'bgcolor', 'color', 'title'],
      a: ['href', 'name', 'rel', 'target'],
      img: ['src', 'alt', 'width', 'height', 'data-remote'],
      td: ['colspan', 'rowspan', 'width', 'height'],
      th: ['colspan', 'rowspan', 'width', 'height'],
      table: ['width', 'border', 'cellpadding', 'cellspacing'],
      font: ['face', 'size', 'color'],
      ol: ['start', 'type'],
      div: ['name', 'data-smartmail'],
      blockquote: ['type', 'cite']
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'cid'],
    allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    disallowedTagsMode: 'discard',
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'svg', 'math', 'xml', ...unreadTags],
    nestingLimit: maxNesting,
    exclusiveFilter: ({ tag, attribs }) =>
      isHidden(attribs) || (tag === 'img' && !attribs.src && !attribs.alt && !attribs['data-remote']),
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: withSafeStyle(attribs) }),
      a: (tagName, attribs) => ({
        tagName,
        attribs: {
          ...withSafeStyle(attribs),
          ...linkTo(attribs.href),
          rel: 'noopener noreferrer nofollow',
          target: '_blank'
        }
      }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: withLocalSource(withSafeStyle(attribs), images, remote)
      })
    }
  })
  return { html, text: textOf(html), images }
}

/** Without a scheme a link would lead to a page of the desk. */
function linkTo(href = ''): { href?: string } {
  const target = href.trim()
  if (target.startsWith('//')) return { href: `https:${target}` }
  return /^www\./i.test(target) ? { href: `https://${target}` } : {}
}

const allowedTags = [
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em',
  'figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strike',
  'strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
].flatMap(line => line.split(' '))

type Attributes = Record<string, string>

function isHidden({ style = '', hidden }: Attributes): boolean {
  return hidden !== undefined || /(^|[;\s])(display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden)/i.test(style)
}

const safeProperty =
  /^\s*(color|background-color|font(-(family|size|style|weight))?|text-(align|decoration|indent|transform)|line-height|white-space|vertical-align|direction|display|mso-hide|visibility|(border|padding|margin)(-(top|right|bottom|left))?(-(color|style|width))?|border-collapse|list-style-type|(max-|min-)?(width|height))\s*:\s*[^;:()\\<>@]{1,200}$|^\s*(background-)?color\s*:\s*rgba?\([\d\s.,%]{1,40}\)\s*$/i

function withSafeStyle({ style, ...attribs }: Attributes): Attributes {
  if (!style) return attribs
  const kept = style
    .slice(0, maxStyleCharacters)
    .split(';')
    .filter(declaration => safeProperty.test(declaration))
  return kept.length > 0 ? { ...attribs, style: kept.map(each => each.trim()).join('; ') } : attribs
}

/** Keeps only images that came with the mail: remote ones would tell their server who reads it, and are named by a number. */
function withLocalSource(
  { src = '', 'data-remote': _, ...attribs }: Attributes,
  images: CleanHtml['images'],
  remote: string[]
): Attributes {
  const source = src.trim()
  const address = remoteAddress(source, attribs)
  if (address !== undefined) {
    remote.push(address)
    return { ...attribs, 'data-remote': String(remote.length - 1) }
  }
  if (/^cid:/i.test(source)) return { ...attribs, src: `cid:${source.slice(4)}` }
  const [, type, encoded] = /^data:(image\/(?:png|jpe?g|gif|webp|bmp));base64,([\sA-Za-z0-9+/=]+)$/i.exec(source) ?? []
  if (!type || !encoded) return attribs
  const contentId = `inline-${images.length + 1}`
  images.push({ contentId, type: type.toLowerCase(), content: Buffer.from(encoded, 'base64') })
  return { ...attribs, src: `cid:${contentId}` }
}

const maxAddressCharacters = 2_000
/** A picture as small as this is there to tell its server who reads the mail. */
const pixel = 3

/** Where the picture of an image lies that is loaded if somebody asks; undefined for all else. */
function remoteAddress(source: string, { width, height, style = '' }: Attributes): string | undefined {
  const sizes = [
    width,
    height,
    ...[...style.matchAll(/(?:^|[;\s])(?:width|height)\s*:\s*([\d.]+)px/gi)].map(([, size]) => size)
  ]
  if (sizes.some(size => size !== undefined && /^\d/.test(size) && Number.parseFloat(size) <= pixel)) return undefined
  const url = URL.parse(source.startsWith('//') ? `https:${source}` : source)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb && url.href.length <= maxAddressCharacters ? url.href : undefined
}

const signatureSelectors = [
  'div.gmail_signature',
  'div.gmail_signature_prefix',
  'div.moz-signature',
  'pre.moz-signature',
  'div#Signature',
  'div#signature',
  'div#ms-outlook-mobile-signature',
  'div.protonmail_signature_block',
  'div.elementToProof#Signature'
]
const quoteSelectors = [
  'blockquote',
  'div.yahoo_quoted',
  'div.protonmail_quote',
  'div.tutanota_quote',
  'div.zmail_extra',
  'div[name="quote"]'
]

/** Deeper quotes get no more marks, since each level rewrites all text below it. */
const maxQuoteDepth = 12
let quoteDepth = 0

const quote: FormatCallback = (element, walk, builder) => {
  if (quoteDepth >= maxQuoteDepth) {
    walk(element.children, builder)
    return
  }
  quoteDepth++
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 1, blockTransform: quotedLines })
  quoteDepth--
}

function quotedLines(block: string): string {
  return block
    .trim()
    .split('\n')
    .map(line => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n')
}

const signature: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children, builder)
  builder.closeBlock({
    trailingLineBreaks: 1,
    blockTransform: block => `${signatureBegins}\n${block}\n${signatureEnds}`
  })
}

const image: FormatCallback = (element, _walk, builder) => {
  const alt = (element.attribs.alt ?? '').replace(/\s+/g, ' ').trim().slice(0, 200)
  if (/^cid:/.test(element.attribs.src ?? '')) builder.addInline(`[${alt || 'image'}]`, { noWordTransform: true })
  else if (alt) builder.addInline(alt)
}

const toText = compile({
  wordwrap: false,
  preserveNewlines: false,
  formatters: { quote, signature, image },
  selectors: [
    { selector: '*', format: 'inline' },
    { selector: 'p', format: 'paragraph', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    // Outlook uses one of these per line, and an empty one for a blank line.
    { selector: 'p.MsoNormal', format: 'paragraph', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({
      selector,
      format: 'heading',
      options: { uppercase: false }
    })),
    {
      selector: 'a',
      format: 'anchor',
      options: {
        hideLinkHrefIfSameAsText: true,
        ignoreHref: false,
        noAnchorUrl: true,
        linkBrackets: ['<', '>'] as [string, string]
      }
    },
    { selector: 'hr', format: 'horizontalLine', options: { length: 24 } },
    { selector: 'ul', format: 'unorderedList', options: { itemPrefix: '- ' } },
    { selector: 'ol', format: 'orderedList' },
    { selector: 'pre', format: 'pre' },
    { selector: 'img', format: 'image' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'inline' },
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...quoteSelectors.map(selector => ({ selector, format: 'quote' })),
    ...signatureSelectors.map(selector => ({ selector, format: 'signature' }))
  ],
  limits: { maxInputLength: maxHtmlCharacters * 2, maxDepth: maxNesting * 3 }
})

function textOf(html: string): string {
  quoteDepth = 0
  // Separates the cells of a row by a blank.
  return collapseBlankLines(toText(html.replace(/<\/t[dh]>/g, ' $&')))
}

/** Trims line ends and collapses empty lines. Line by line, since a pattern would search the same blanks many times. */
export function collapseBlankLines(text: string): string {
  const lines: string[] = []
  let empty = 0
  for (const line of text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\u00ad\u200b\ufeff\ufffc]/g, '')
    .split('\n')) {
    // The blank after two dashes marks a signature.
    const trimmed = /^>* ?-- $/.test(line) ? line : line.trimEnd()
    empty = trimmed === '' ? empty + 1 : 0
    if (empty <= 2 && (lines.length > 0 || trimmed !== '')) lines.push(trimmed)
  }
  return lines.join('\n').trimEnd()
}
