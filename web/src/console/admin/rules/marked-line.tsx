import type { ReactNode } from 'react'
import type { Icon } from '../../../ui/icon.tsx'
import styles from './runs.module.css'

interface MarkedLineProps {
  icon: Icon
  tone: 'good' | 'warn' | undefined
  /** The mark in words. */
  words: string
  aside: string | undefined
  children: ReactNode
}

/** A condition or an action with its mark, which is also said in words. */
export function MarkedLine({ icon: Shown, tone, words, aside, children }: MarkedLineProps) {
  return (
    <li data-tone={tone}>
      <Shown size={14} aria-hidden />
      <span className={styles.markedLine}>
        <span>
          <span className="visually-hidden">{words}: </span>
          {children}
        </span>
        {aside !== undefined && <span className={styles.aside}>{aside}</span>}
      </span>
    </li>
  )
}
