import { Copy } from 'lucide-react'
import { createElement, Fragment, type ReactNode, useMemo, useRef } from 'react'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { IconButton } from '../../ui/button.tsx'
import { MessagePicture } from './message-picture.tsx'
import './rich-html.css'
import type { PictureFile, RichTextProps } from './rich-text-props.ts'

/** Longer quotes are folded. */
const shownQuoteLines = 6

/** Which elements stay what they are. Of all others only the content is shown. */
const kept = new Set(['p', 'br', 'strong', 'em', 'ul', 'ol', 'li', 'code'])

/** The server's HTML of a formatted text, put together anew from the kinds of elements that it may have: nothing else in it is ever rendered. */
export default function RichHtml({ html = '', files = [], mark }: RichTextProps) {
  const body = useMemo(() => new DOMParser().parseFromString(html ?? '', 'text/html').body, [html])
  return (
    <div className="message-text rich-text" dir="auto">
      {childrenOf(body, { files, mark })}
    </div>
  )
}

interface Context {
  files: readonly PictureFile[]
  mark: RichTextProps['mark'] | undefined
}

function childrenOf(element: Element, context: Context): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message do not move.
  return [...element.childNodes].map((node, index) => <Fragment key={index}>{shown(node, context)}</Fragment>)
}

function shown(node: Node, context: Context): ReactNode {
  if (node instanceof Text) return context.mark ? context.mark(node.data) : node.data
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (name === 'img') return <Picture image={node} files={context.files} />
  if (name === 'pre') return <CodeBlock code={node.textContent ?? ''} />
  if (name === 'a') return <Link element={node}>{childrenOf(node, context)}</Link>
  if (name === 'blockquote') return <Quote element={node}>{childrenOf(node, context)}</Quote>
  if (/^h[1-6]$/.test(name)) return <p className="heading">{childrenOf(node, context)}</p>
  if (name === 'br') return <br />
  if (!kept.has(name)) return childrenOf(node, context)
  const attributes = name === 'ol' ? { start: Number(node.getAttribute('start') ?? 1) } : null
  return createElement<Record<string, unknown>>(name, attributes, ...childrenOf(node, context))
}

function Picture({ image, files }: { image: Element; files: readonly PictureFile[] }) {
  const alt = image.getAttribute('alt') ?? ''
  const file = files.find(({ file_path }) => file_path === image.getAttribute('src'))
  return file ? <MessagePicture id={file.id} alt={alt || file.file_name} /> : <span className="missing">{alt}</span>
}

/** Where the words are not the address, its host follows: a link says where it leads. */
function Link({ element, children }: { element: Element; children: ReactNode }) {
  const href = element.getAttribute('href') ?? ''
  const url = URL.parse(href)
  if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return children
  const words = element.textContent ?? ''
  const host = url.host && !words.includes(url.host) ? url.host : ''
  return (
    <>
      <a href={href} rel="noopener nofollow noreferrer" target="_blank">
        {children}
      </a>
      {host && <span className="host"> {host}</span>}
    </>
  )
}

function Quote({ element, children }: { element: Element; children: ReactNode }) {
  const lines = element.querySelectorAll('br, p, li, pre').length
  const quote = <blockquote>{children}</blockquote>
  if (lines <= shownQuoteLines && (element.textContent?.length ?? 0) <= 600) return quote
  return (
    <details>
      <summary>{t('ui.earlierText')}</summary>
      {quote}
    </details>
  )
}

function CodeBlock({ code }: { code: string }) {
  const block = useRef<HTMLPreElement>(null)
  async function copy() {
    await navigator.clipboard.writeText(code.replace(/\n$/, '')).then(
      () => announce(t('ui.copied')),
      // The browser does not allow it: the person copies what is selected.
      () => getSelection()?.selectAllChildren(block.current!)
    )
  }
  return (
    <div className="code">
      <pre ref={block}>
        <code>{code}</code>
      </pre>
      <IconButton icon={Copy} label={t('ui.copyCode')} onClick={() => void copy()} />
    </div>
  )
}
