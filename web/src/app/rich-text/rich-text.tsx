import { lazy, Suspense } from 'react'
import { MessageText } from '../../ui/message-text.tsx'
import type { RichTextProps } from './rich-text-props.ts'

// Most messages are plain: they need none of this.
const RichHtml = lazy(() => import('./rich-html.tsx').catch(() => ({ default: MessageText })))

/** A message or note: formatted if it was written so, else as plain text. */
export function RichText({ text, html, ...props }: RichTextProps) {
  const plain = <MessageText text={text} {...(props.mark ? { mark: props.mark } : {})} />
  if (!html) return plain
  return (
    <Suspense fallback={plain}>
      <RichHtml text={text} html={html} {...props} />
    </Suspense>
  )
}
