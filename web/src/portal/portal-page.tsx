import type { ReactNode } from 'react'
import { PageTitle, useTitle } from '../ui/page.tsx'
import styles from './portal-page.module.css'

interface PortalPageProps {
  /** The title of the window: "TIC-104233 Inverter …". */
  title: string
  /** The heading, if it differs from the title. */
  heading?: ReactNode
  lede?: ReactNode
  /** Shown above the heading: a link back. */
  before?: ReactNode
  /** Shown under the heading. */
  below?: ReactNode
  actions?: ReactNode
  /** 688 px for texts and forms, 880 px for lists, 420 px for a centered card. */
  width?: 'wide' | 'slim'
  /** The children contain the heading. */
  isHeadless?: boolean
  children: ReactNode
}

/** A page of the portal with its window title and one heading, which takes the focus after a navigation. */
export function PortalPage(props: PortalPageProps) {
  const { title, heading, lede, before, below, actions, width = 'wide', isHeadless, children } = props
  useTitle(title)
  return (
    <div className={styles.page} data-width={width}>
      {before}
      {!isHeadless && (
        <div className={styles.head}>
          <div className={styles.heading}>
            <PageTitle className={styles.title!}>{heading ?? title}</PageTitle>
            {lede && <p className={styles.lede}>{lede}</p>}
            {below}
          </div>
          {actions && <div>{actions}</div>}
        </div>
      )}
      {children}
    </div>
  )
}

/** A page with one centered card, for signing in and related pages. */
export function CardPage({ title, lede, icon, below, children }: CardPageProps) {
  useTitle(title)
  return (
    <CenteredCard below={below}>
      <div className={`card ${styles.card}`}>
        {icon && <span className={styles.tile}>{icon}</span>}
        <PageTitle className={styles.title!}>{title}</PageTitle>
        {lede && <p className={styles.cardLede}>{lede}</p>}
        {children}
      </div>
    </CenteredCard>
  )
}

/** A centered card, with a link to the alternative below it. */
export function CenteredCard({ below, children }: { below?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.middle}>
      <div className={`auth-card ${styles.cardPage}`}>
        {children}
        {below && <p className={styles.below}>{below}</p>}
      </div>
    </div>
  )
}

interface CardPageProps {
  title: string
  lede?: ReactNode
  icon?: ReactNode
  /** Shown under the card: a link to the alternative. */
  below?: ReactNode
  children?: ReactNode
}
