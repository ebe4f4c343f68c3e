import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import styles from './article-html.module.css'

/** Which elements stay what they are. Of all others only the content is shown. */
const kept = new Set(
  'p br strong em s ul li code pre blockquote h2 h3 h4 h5 h6 hr table thead tbody tr th td'.split(' ')
)

/** The server's HTML of an article, put together anew from the kinds of elements that it may have. */
export function ArticleHtml({ html }: { html: string }) {
  const body = useMemo(() => new DOMParser().parseFromString(html, 'text/html').body, [html])
  return <div className={styles.prose}>{childrenOf(body)}</div>
}

function childrenOf(element: Element): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
  return [...element.childNodes].map((node, index) => <Fragment key={index}>{shown(node)}</Fragment>)
}

function shown(node: Node): ReactNode {
  if (node instanceof Text) return node.data
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (name === 'a')
    return (
      <a href={safeHref(node)} className="link" target="_blank" rel="noopener noreferrer nofollow">
        {childrenOf(node)}
      </a>
    )
  if (name === 'img') {
    const source = node.getAttribute('src') ?? ''
    return source.startsWith('/help/files/') ? <img src={source} alt={node.getAttribute('alt') ?? ''} /> : null
  }
  if (name === 'ol') return <ol start={Number(node.getAttribute('start') ?? 1)}>{childrenOf(node)}</ol>
  if (name === 'br' || name === 'hr') return createElement(name)
  return kept.has(name) ? createElement(name, null, ...childrenOf(node)) : childrenOf(node)
}

function safeHref(link: Element): string | undefined {
  const href = link.getAttribute('href') ?? ''
  return /^(https?:|mailto:|tel:|\/(?!\/))/i.test(href) ? href : undefined
}
