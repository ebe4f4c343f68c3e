import type { Node } from 'prosemirror-model'
import { plainDoc } from './pasted.ts'
import { readMarkdown } from './read-markdown.ts'
import { nodes } from './schema.ts'
import { writeMarkdown } from './write-markdown.ts'

/** A plain text as Markdown that shows the same. */
export function markdownOfPlain(text: string): string {
  return text.trim() === '' ? '' : writeMarkdown(plainDoc(text)).text
}

/** A text in Markdown without its formatting, and whether it had any. Pictures go out of it. */
export function plainOfMarkdown(text: string): { text: string; isLost: boolean } {
  const doc = readMarkdown(text)
  const plain = blocksText(doc)
  return { text: plain, isLost: !plainDoc(plain).eq(doc) }
}

function blocksText(parent: Node): string {
  return parent.content.content.map(blockText).join('\n\n')
}

function blockText(node: Node): string {
  switch (node.type) {
    case nodes.blockquote:
      return indented(blocksText(node), '> ', '> ')
    case nodes.bullet_list:
    case nodes.ordered_list:
      return node.content.content
        .map((item, at) => {
          const mark = node.type === nodes.ordered_list ? `${node.attrs.start + at}. ` : '- '
          return indented(item.content.content.map(blockText).join('\n'), mark, ' '.repeat(mark.length))
        })
        .join('\n')
    default:
      return node.content.content.map(inlineText).join('')
  }
}

function inlineText({ type, text, marks }: Node): string {
  if (type === nodes.hard_break) return '\n'
  const href = marks.find(({ type }) => type.name === 'link')?.attrs.href
  return href && href !== text ? `${text ?? ''} (${href})` : (text ?? '')
}

function indented(text: string, first: string, others: string): string {
  return first + text.replaceAll('\n', `\n${others}`)
}
