import type { Node } from 'prosemirror-model'
import { EditorState, Selection } from 'prosemirror-state'
import { readMarkdown } from './read-markdown.ts'
import { nodes } from './schema.ts'
import { type Written, writeMarkdown } from './write-markdown.ts'

// Blanks at the ends of Markdown mean nothing. In a field they do: what somebody types next stands behind them.

/** The document of a text, with the blanks at its ends. */
export function readField(text: string): Node {
  const { tr } = EditorState.create({ doc: readMarkdown(text.trim()) })
  const lead = text.trim() === '' ? '' : /^ */.exec(text)![0]
  const trail = /\s*$/.exec(text)![0]
  if (lead && tr.doc.firstChild?.type === nodes.paragraph) tr.insertText(lead, 1)
  if (trail.includes('\n')) tr.insert(tr.doc.content.size, nodes.paragraph!.create())
  else if (trail && tr.doc.lastChild?.type !== nodes.code_block) tr.insertText(trail, Selection.atEnd(tr.doc).head)
  return tr.doc
}

/** The text of a document, with the blanks at its ends. */
export function writeField(doc: Node): Written {
  const { text, offsetOf, positionOf } = writeMarkdown(doc)
  const first = doc.firstChild
  const lead = first?.type === nodes.paragraph ? /^ */.exec(first.firstChild?.text ?? '')![0].length : 0
  // Before the text, one place is one position.
  return {
    text: ' '.repeat(lead) + text,
    offsetOf: position => (position <= lead ? Math.max(0, position - 1) : lead + offsetOf(position)),
    positionOf: offset => (offset < lead ? offset + 1 : positionOf(offset - lead))
  }
}
