import { type ReactNode, useEffect, useRef } from 'react'
import { focusIfRequested } from './heading-focus.ts'
import './page.css'

interface PageProps {
  /** The title of the window: "TIC-104233 Inverter …". "· Deskline" is added. */
  title: string
  /** The heading of the page; by default `title`. */
  h1?: ReactNode
  lede?: ReactNode
  /** Shown above the heading: a link to the parent page. */
  back?: ReactNode
  actions?: ReactNode
  /** Links to the sibling pages: `<a>` elements with `aria-current`. */
  tabs?: ReactNode
  tabsLabel?: string
  /** `list`: the page lays itself out, and puts its own `<PageTitle>`. */
  width?: 'table' | 'settings' | 'full' | 'list'
  /** Docked below the page: the bar of an editor. */
  foot?: ReactNode
  children?: ReactNode
}

/** A page with its window title and one heading, which takes the focus after a navigation. */
export function Page({ title, h1, lede, back, actions, tabs, tabsLabel, width = 'table', foot, children }: PageProps) {
  useTitle(title)
  if (width === 'list')
    return (
      <div className="page">
        {tabs && <Tabs label={tabsLabel ?? title}>{tabs}</Tabs>}
        {back && <div className="page-back">{back}</div>}
        <div className="page-fill">{children}</div>
      </div>
    )
  return (
    <div className="page">
      {tabs && <Tabs label={tabsLabel ?? title}>{tabs}</Tabs>}
      <div className={width === 'table' ? 'page-in' : `page-in ${width}`}>
        {back}
        <div className="head-row">
          <div className="grow">
            <PageTitle className="big">{h1 ?? title}</PageTitle>
            {lede && <p className="lede">{lede}</p>}
          </div>
          {actions && <div className="actions">{actions}</div>}
        </div>
        {children}
      </div>
      {foot}
    </div>
  )
}

/** The heading of a page that lays itself out. Takes the focus after a navigation. */
export function PageTitle({ className, children }: { className?: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => focusIfRequested(heading.current), [])
  return (
    <h1 ref={heading} tabIndex={-1} className={className ? `page-title ${className}` : 'page-title'}>
      {children}
    </h1>
  )
}

/** The title of the window, for as long as this is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Deskline`
  }, [title])
}

function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className="tabs" aria-label={label}>
      {children}
    </nav>
  )
}
