import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import styles from './sentence.module.css'

/** A sentence that is put together from parts, one line below the other. */
export function Sentence({ children }: { children: ReactNode }) {
  return <div className={styles.sentence}>{children}</div>
}

interface SentenceLineProps {
  /** "If", "and" */
  word: string
  /** The whole line as it is read. */
  legend: string
  remove?: { label: string; onClick: () => void } | undefined
  children: ReactNode
}

export function SentenceLine({ word, legend, remove, children }: SentenceLineProps) {
  return (
    <fieldset className={styles.line}>
      <legend className="visually-hidden">{legend}</legend>
      <span className={styles.word} aria-hidden>
        {word}
      </span>
      <div className={styles.parts}>{children}</div>
      {remove && <IconButton icon={X} label={remove.label} onClick={remove.onClick} className={styles.remove ?? ''} />}
    </fieldset>
  )
}
