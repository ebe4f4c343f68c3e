import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './account.module.css'

/** What stands beside a button that has done it. The page says it by `announce`, too. */
export function Saved({ children }: { children: ReactNode }) {
  return (
    <span className={styles.saved}>
      <Check size={16} aria-hidden />
      {children}
    </span>
  )
}
