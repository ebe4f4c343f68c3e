import { type Attrs, type DOMOutputSpec, type Node, Schema, type TagParseRule } from 'prosemirror-model'
import { isLinkAddress } from '../../lib/safe-links.ts'

/** Named by the library: the tests of the server know no DOM. */
type PastedElement = Parameters<NonNullable<TagParseRule['getAttrs']>>[0]

/** What a formatted text consists of, and nothing else: whatever else is pasted becomes text. The service renders the same kinds. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      group: 'block',
      content: 'inline*',
      attrs: { level: { default: 2 } },
      defining: true,
      parseDOM: [1, 2, 3, 4, 5, 6].map(level => ({ tag: `h${level}`, attrs: { level } })),
      // Headings have one size, but readers hear their level.
      toDOM: ({ attrs }) => [`h${attrs.level}`, 0]
    },
    blockquote: {
      group: 'block',
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0]
    },
    bullet_list: {
      group: 'block',
      content: 'list_item+',
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0]
    },
    ordered_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { start: { default: 1 } },
      parseDOM: [{ tag: 'ol', getAttrs: list => ({ start: Number(list.getAttribute('start') ?? 1) || 1 }) }],
      toDOM: ({ attrs }) => ['ol', attrs.start === 1 ? {} : { start: attrs.start }, 0]
    },
    list_item: {
      content: 'paragraph block*',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0]
    },
    code_block: {
      group: 'block',
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      attrs: { language: { default: '' } },
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
      toDOM: () => ['pre', ['code', 0]]
    },
    text: { group: 'inline' },
    hard_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      linebreakReplacement: true,
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br']
    },
    /** A file of the message that stands in the text. Pictures from elsewhere are never loaded. */
    picture: {
      group: 'inline',
      inline: true,
      draggable: true,
      attrs: { name: {}, alt: { default: '' } },
      parseDOM: [{ tag: 'img[data-picture]', getAttrs: pictureAttrs }],
      toDOM: ({ attrs }) => ['img', { 'data-picture': attrs.name, alt: attrs.alt }]
    }
  },
  marks: {
    link: {
      attrs: { href: {} },
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: linkAttrs }],
      toDOM: ({ attrs }): DOMOutputSpec => ['a', { href: attrs.href, title: attrs.href }, 0]
    },
    strong: {
      parseDOM: [
        { tag: 'strong' },
        // Google Docs wraps all that it copies in a <b> that is not bold.
        { tag: 'b', getAttrs: element => !hasStyle(element, 'font-weight', /normal|400/) && null },
        styled('font-weight', /bold|[6-9]00/)
      ],
      toDOM: () => ['strong', 0]
    },
    em: {
      parseDOM: [{ tag: 'i' }, { tag: 'em' }, styled('font-style', /italic/)],
      toDOM: () => ['em', 0]
    },
    code: {
      code: true,
      excludes: '_',
      parseDOM: [{ tag: 'code' }, { tag: 'kbd' }, { tag: 'samp' }, { tag: 'tt' }],
      toDOM: () => ['code', 0]
    }
  }
})

export const { nodes, marks } = schema

/** The names of the pictures that stand in the text. */
export function picturesIn(doc: Node): Set<string> {
  const names = new Set<string>()
  doc.descendants(node => {
    if (node.type === nodes.picture) names.add(node.attrs.name)
  })
  return names
}

/** Words of word processors have their format in their style. */
function styled(property: string, value: RegExp): TagParseRule {
  return {
    tag: 'span[data-style]',
    consuming: false,
    getAttrs: element => hasStyle(element, property, value) && null
  }
}

/** Pasted styles stand in `data-style`: the policy of the pages applies none. */
function hasStyle(element: PastedElement, property: string, value: RegExp): boolean {
  const found = new RegExp(`(^|;)\\s*${property}\\s*:([^;]*)`, 'i').exec(element.dataset.style ?? '')
  return value.test(found?.[2] ?? '')
}

function pictureAttrs(element: PastedElement): Attrs {
  return { name: element.dataset.picture, alt: element.getAttribute('alt') ?? '' }
}

function linkAttrs(element: PastedElement): Attrs | false {
  const href = element.getAttribute('href')?.trim() ?? ''
  return isLinkAddress(href) && { href }
}
