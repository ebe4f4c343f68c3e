import { chainCommands, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import type { MarkType, NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, NodeSelection, TextSelection } from 'prosemirror-state'
import { marks, nodes } from './schema.ts'

/** What the bar and the keys can do to a text. */
export type Format = 'bold' | 'italic' | 'list' | 'numbered' | 'quote' | 'code' | 'heading'

export const formatCommands: Record<Format, Command> = {
  bold: toggleMark(marks.strong!),
  italic: toggleMark(marks.em!),
  list: toggleList(nodes.bullet_list!),
  numbered: toggleList(nodes.ordered_list!),
  quote: (state, dispatch) => (isWithin(state, nodes.blockquote!) ? lift : wrapIn(nodes.blockquote!))(state, dispatch),
  code: (state, dispatch) =>
    (isOneLine(state) ? toggleMark(marks.code!) : toggleBlock(nodes.code_block!))(state, dispatch),
  heading: (state, dispatch) => toggleBlock(nodes.heading!)(state, dispatch)
}

/** The formats that the selection has. */
export function formatsIn(state: EditorState): Set<Format> {
  const { parent } = state.selection.$from
  const has: Record<Format, boolean> = {
    bold: hasMark(state, marks.strong!),
    italic: hasMark(state, marks.em!),
    list: listAround(state) === nodes.bullet_list,
    numbered: listAround(state) === nodes.ordered_list,
    quote: isWithin(state, nodes.blockquote!),
    code: parent.type === nodes.code_block || hasMark(state, marks.code!),
    heading: parent.type === nodes.heading
  }
  return new Set((Object.keys(has) as Format[]).filter(format => has[format]))
}

export function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection
  return empty ? Boolean(type.isInSet(storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, type)
}

/** The link at the caret, or the selection: where it lies and where it leads. */
export function linkAt({ selection, doc }: EditorState): { from: number; to: number; href: string } {
  const { from, to, $from, empty } = selection
  const link = empty ? marks.link!.isInSet($from.marks()) : undefined
  if (!link) {
    let href = ''
    doc.nodesBetween(from, to, node => {
      href ||= marks.link!.isInSet(node.marks)?.attrs.href ?? ''
    })
    return { from, to, href }
  }
  let start = $from.index()
  let end = start
  while (start > 0 && link.isInSet($from.parent.child(start - 1).marks)) start--
  while (end < $from.parent.childCount && link.isInSet($from.parent.child(end).marks)) end++
  const position = (index: number) =>
    $from.start() + $from.parent.content.content.slice(0, index).reduce((sum, node) => sum + node.nodeSize, 0)
  return { from: position(start), to: position(end), href: link.attrs.href }
}

/** Makes the words a link, or no link. Without words the address stands there. */
export function setLink(at: { from: number; to: number }, href: string | undefined): Command {
  return (state, dispatch) => {
    const { tr } = state
    if (at.from === at.to && href) tr.insertText(href.replace(/^(mailto|tel):/, ''), at.from)
    const to = at.from === at.to ? tr.mapping.map(at.to) : at.to
    tr.removeMark(at.from, to, marks.link!)
    if (href) tr.addMark(at.from, to, marks.link!.create({ href }))
    tr.setSelection(TextSelection.create(tr.doc, to)).removeStoredMark(marks.link!)
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** The picture that is chosen. */
export function chosenPicture({ selection }: EditorState): { name: string; alt: string } | undefined {
  if (!(selection instanceof NodeSelection) || selection.node.type !== nodes.picture) return undefined
  return selection.node.attrs as { name: string; alt: string }
}

/** Enter in an empty line at the end of code ends it, as it ends a list. */
export const endCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  const isLastLine = $from.parent.type === nodes.code_block && empty && $from.parentOffset === $from.parent.content.size
  if (!isLastLine || !$from.parent.textContent.endsWith('\n')) return false
  const { tr } = state
  tr.delete($from.pos - 1, $from.pos)
  const after = tr.mapping.map($from.after())
  tr.insert(after, nodes.paragraph!.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView())
  return true
}

/** Backspace at the beginning of a heading, code, a list or a quote makes it a paragraph. */
export const plainAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0) return false
  if ($from.parent.type !== nodes.paragraph) return setBlockType(nodes.paragraph!)(state, dispatch)
  const isFirst = $from.depth > 1 && $from.index(-1) === 0
  if (!isFirst) return false
  return chainCommands(liftListItem(nodes.list_item!), lift)(state, dispatch)
}

/** The arrow down leaves code, a quote or a list that ends the text. */
export const leaveDown: Command = (state, dispatch, view) => {
  const { $to, empty } = state.selection
  const last = state.doc.lastChild!
  const isInLast = $to.index(0) === state.doc.childCount - 1
  if (!empty || !isInLast || last.type === nodes.paragraph || !view?.endOfTextblock('down')) return false
  if ($to.pos < state.doc.content.size - $to.depth) return false
  const end = state.doc.content.size
  const tr = state.tr.insert(end, nodes.paragraph!.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView())
  return true
}

export const insertBreak: Command = (state, dispatch) => {
  const isCode = state.selection.$from.parent.type === nodes.code_block
  const { tr } = state
  if (isCode) tr.insertText('\n')
  else tr.replaceSelectionWith(nodes.hard_break!.create())
  dispatch?.(tr.scrollIntoView())
  return true
}

export const splitItem = splitListItem(nodes.list_item!)
export const indent = sinkListItem(nodes.list_item!)
export const outdent = liftListItem(nodes.list_item!)

function toggleBlock(type: NodeType): Command {
  return (state, dispatch) => {
    const isSet = state.selection.$from.parent.type === type
    return setBlockType(isSet ? nodes.paragraph! : type)(state, dispatch)
  }
}

function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const around = listAround(state)
    if (around === type) return outdent(state, dispatch)
    if (!around) return wrapInList(type)(state, dispatch)
    const { $from } = state.selection
    const depth = depthOfList(state)!
    dispatch?.(state.tr.setNodeMarkup($from.before(depth), type))
    return true
  }
}

function listAround(state: EditorState): NodeType | undefined {
  const depth = depthOfList(state)
  return depth === undefined ? undefined : state.selection.$from.node(depth).type
}

function depthOfList({ selection: { $from } }: EditorState): number | undefined {
  for (let depth = $from.depth; depth > 0; depth--)
    if ([nodes.bullet_list, nodes.ordered_list].includes($from.node(depth).type)) return depth
}

function isWithin({ selection: { $from } }: EditorState, type: NodeType): boolean {
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === type) return true
  return false
}

/** Whether code is meant to stand within a line. */
function isOneLine({ selection: { $from, $to, empty } }: EditorState): boolean {
  return $from.sameParent($to) && $from.parent.type !== nodes.code_block && !(empty && $from.parent.content.size === 0)
}
