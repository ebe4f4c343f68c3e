import { TriangleAlert, X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { t } from '../../lib/strings.ts'
import styles from './recipient-rows.module.css'

interface PersonChipProps {
  name: string
  email: string
  /** "follows", "new". */
  state?: ReactNode
  /** It is outside the client's organisation. */
  isOutside?: boolean
  /** An answer is being sent: the row is as it is sent. */
  isDisabled: boolean
  onRemove(): void
  /** Other keys than Backspace and Delete. */
  onKeyDown?(event: KeyboardEvent<HTMLButtonElement>): void
}

/** Somebody in a row of recipients. × takes them out, and so do Backspace and Delete. */
export function PersonChip({ name, email, state, isOutside, isDisabled, onRemove, onKeyDown }: PersonChipProps) {
  function press(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.key !== 'Backspace' && event.key !== 'Delete') return onKeyDown?.(event)
    event.preventDefault()
    if (!isDisabled) onRemove()
  }

  return (
    <span className={styles.chip} title={email}>
      <bdi className={styles.name}>{name}</bdi>
      {state}
      {isOutside && <TriangleAlert size={12} aria-hidden className={styles.outside} />}
      <button
        type="button"
        className={styles.remove}
        data-chip
        aria-label={t('recipients.remove', { name })}
        aria-disabled={isDisabled}
        onClick={() => !isDisabled && onRemove()}
        onKeyDown={press}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  )
}
