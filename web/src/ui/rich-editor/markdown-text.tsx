import { DOMSerializer } from 'prosemirror-model'
import { useLayoutEffect, useRef } from 'react'
import { readMarkdown } from './read-markdown.ts'
import './rich-editor.css'
import { schema } from './schema.ts'

/** A text in Markdown as the field shows it, for what the service has not rendered yet. */
export function MarkdownText({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { content } = readMarkdown(text)
    box.current!.replaceChildren(DOMSerializer.fromSchema(schema).serializeFragment(content))
  }, [text])
  return <div ref={box} className="rich-text" dir="auto" />
}
