import type { ReactNode } from 'react'
import { useRef } from 'react'
import { t } from '../../lib/strings.ts'
import { Checkbox } from '../../ui/form-controls.tsx'
import styles from './split.module.css'
import type { Choosing, SplitEntry } from './use-split.ts'

interface SplitChoiceProps {
  entry: SplitEntry
  label: string
  choosing: Choosing
  /** Whether it belongs to this ticket, and not to one that was merged into it. */
  isOwn: boolean
  children: ReactNode
}

/** A message or note with a checkbox, while messages are being split off. X toggles it, and Shift takes all in between along. */
export function SplitChoice({ entry, label, choosing, isOwn, children }: SplitChoiceProps) {
  const hasShift = useRef(false)
  const { type, id } = entry
  const isFirst = type === 'message' && id === choosing.first
  // Notes never leave the house.
  const stays =
    choosing.kind === 'forward'
      ? type === 'note'
        ? t('side.noteStays')
        : undefined
      : isFirst
        ? t('links.firstStays')
        : undefined
  const isChosen = (type === 'message' ? choosing.messages : choosing.notes).has(id)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: X is a second way to press the checkbox.
    <div
      className={[styles.choice, isChosen && (choosing.kind === 'forward' ? styles.along : styles.chosen)]
        .filter(Boolean)
        .join(' ')}
      onKeyDown={event => {
        if (event.key.toLowerCase() !== 'x' || event.ctrlKey || event.metaKey || event.altKey || stays || !isOwn) return
        event.preventDefault()
        event.stopPropagation()
        choosing.toggle(entry, event.shiftKey)
      }}
    >
      {isOwn && (
        <span
          className={styles.box}
          data-tip={stays}
          onClickCapture={event => {
            hasShift.current = event.shiftKey
          }}
        >
          {stays ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: on focus it says why it cannot be chosen.
            <span role="img" aria-label={stays} tabIndex={0} className={styles.fixed} />
          ) : (
            <Checkbox
              hideLabel
              label={label}
              checked={isChosen}
              onChange={() => choosing.toggle(entry, hasShift.current)}
            />
          )}
        </span>
      )}
      {children}
    </div>
  )
}
