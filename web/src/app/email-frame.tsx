import { useMemo } from 'react'

const tallest = 1600

/**
 * An e-mail of ours in a frame that runs no scripts. The policy of this page also applies inside, so nothing is loaded from elsewhere. It has our origin only so that
 * its height and styles can be set from here.
 */
export function EmailFrame({ html, title }: { html: string; title: string }) {
  const source = useMemo(() => withoutStyles(html), [html])
  return (
    <iframe
      sandbox="allow-same-origin"
      title={title}
      srcDoc={source}
      onLoad={event => show(event.currentTarget, sheet.exec(html)?.[1] ?? '')}
    />
  )
}

/** The policy forbids style attributes and inline styles, but not styles that a script sets. */
const sheet = /<style>(.*?)<\/style>/s

function withoutStyles(html: string): string {
  return html.replace(sheet, '').replace(/<[a-z][^>]*>/gi, tag => tag.replace(/ style="/gi, ' data-style="'))
}

function show(frame: HTMLIFrameElement, css: string): void {
  const root = frame.contentDocument?.documentElement
  const own = frame.contentWindow as (Window & typeof globalThis) | null
  if (!root || !own) return
  const styles = new own.CSSStyleSheet()
  styles.replaceSync(css)
  root.ownerDocument.adoptedStyleSheets = [styles]
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset.style!
  frame.style.blockSize = `${Math.min(tallest, root.scrollHeight + 2)}px`
}
