import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './account.module.css'

/** Shown beside a button after a success. The page also says it with `announce`. */
export function SavedMessage({ children }: { children: ReactNode }) {
  return (
    <span className={styles.saved}>
      <Check size={16} aria-hidden />
      {children}
    </span>
  )
}
