import type { Fragment, Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { RichFieldProps } from '../rich-field-props.ts'
import { nodes } from './schema.ts'
import { writeMarkdown } from './write-markdown.ts'

/** The attributes of the field, as those of a text area. */
export function attributesOf({
  readOnly,
  className,
  placeholder,
  value,
  areaProps
}: RichFieldProps): Record<string, string> {
  const given = Object.entries(areaProps)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => [name, String(value)])
  return {
    ...Object.fromEntries(given),
    class: `rich-text ${className ?? ''}`,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-placeholder': placeholder ?? '',
    'aria-readonly': String(readOnly ?? false),
    dir: 'auto',
    // It keeps the focus while it is being sent.
    tabindex: '0',
    ...(value === '' && { 'data-placeholder': placeholder ?? '' })
  }
}

/** What is copied out of the field as text is Markdown. */
export function copiedText({ content }: Slice): string {
  const blocks = content.firstChild?.isInline ? nodes.paragraph!.create(null, content) : content
  return writeMarkdown(nodes.doc!.createAndFill(null, blocks as Fragment) ?? nodes.doc!.createAndFill()!).text
}

/** Above the first line of the selection, within the field. */
export function placeOver(
  view: EditorView | undefined,
  box: HTMLElement | null
): { left: number; top: number } | undefined {
  if (!view || !box) return undefined
  const { from } = view.state.selection
  const area = box.getBoundingClientRect()
  const start = view.coordsAtPos(from)
  const width = Math.min(340, area.width - 16)
  const left = Math.max(8, Math.min(start.left - area.left, area.width - width - 8))
  return { left, top: Math.max(-38, Math.min(start.top - area.top, area.height) - 42) }
}
