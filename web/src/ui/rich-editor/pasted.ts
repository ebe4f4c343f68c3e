import { Fragment, type Node, Slice } from 'prosemirror-model'
import { readMarkdown } from './read-markdown.ts'
import { nodes, schema } from './schema.ts'

/** Pasted HTML before it is read: its styles are not applied, but tell what is bold. Cells of a table do not run into each other. */
export function keptHtml(html: string): string {
  return (
    html
      .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
      // What is not closed, or says where the page comes from, would be looked at when the rest is read.
      .replace(/<\/?(style|script|base|link|meta)\b[^>]*>?/gi, '')
      .replace(/<[a-z][^>]*>/gi, tag => tag.replace(/\sstyle\s*=/gi, ' data-style='))
      .replace(/<\/t[dh]\s*>/gi, ' $&')
  )
}

/** A pasted text without formatting: an empty line begins a paragraph. Nothing of it is read as Markdown. */
export function plainSlice(text: string): Slice {
  return Slice.maxOpen(plainDoc(text).content)
}

/** The document of a plain text. */
export function plainDoc(text: string): Node {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .trimEnd()
    .split(/\n{2,}/)
  return nodes.doc!.create(null, paragraphs.map(paragraphOf))
}

/** A text in Markdown, as it is inserted: its first and last lines join the lines that they come into. */
export function markdownSlice(text: string): Slice {
  const { content } = readMarkdown(text)
  const [, end] = /(\s*)$/.exec(text)!
  const slice = Slice.maxOpen(content)
  // "@hannah " is inserted with its space.
  const space = end === ' ' || text.trim() === '' ? text.replaceAll('\n', '') : ''
  if (content.childCount !== 1 || content.firstChild!.type !== nodes.paragraph || !space) return slice
  const line = text.trim() === '' ? Fragment.empty : content.firstChild!.content
  return new Slice(Fragment.from(nodes.paragraph!.create(null, line.append(Fragment.from(schema.text(' '))))), 1, 1)
}

function paragraphOf(text: string): Node {
  const lines = text.split('\n').map(line => (line === '' ? [] : [schema.text(line)]))
  const content = lines.flatMap((line, at) => (at === 0 ? line : [nodes.hard_break!.create(), ...line]))
  return nodes.paragraph!.create(null, content)
}
