import { Lock } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import styles from './suggestions.module.css'

export interface Suggestion {
  id: number
  title: string
  /** Shown in a second line. */
  line?: string
  icon?: ReactNode
  /** Shown at the end. */
  mark?: string
  /** It cannot be chosen; `line` says why. */
  isLocked?: boolean
}

interface Suggestions {
  isOpen: boolean
  options: Suggestion[]
  onChoose(option: Suggestion): void
  onClose(): void
}

/** The ARIA attributes and keys of a text area for the list that is open above it. */
export function useSuggestions({ isOpen, options, onChoose, onClose }: Suggestions) {
  const id = useId()
  const [active, setActive] = useState(0)
  const at = Math.min(active, Math.max(0, options.length - 1))

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is found anew begins at its first.
  useEffect(() => setActive(0), [isOpen, options.length])

  /** Whether the list has handled the key. */
  function takeKey(event: KeyboardEvent): boolean {
    if (!isOpen || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false
    const count = options.length
    const chosen = options[at]
    if (event.key === 'Escape') onClose()
    else if (count === 0) return false
    else if (event.key === 'ArrowDown') setActive((at + 1) % count)
    else if (event.key === 'ArrowUp') setActive((at - 1 + count) % count)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) {
      if (!chosen.isLocked) onChoose(chosen)
    } else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return {
    id,
    active: at,
    takeKey,
    areaProps: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen && options.length > 0 ? id : undefined,
      'aria-activedescendant': isOpen && options[at] ? `${id}-${options[at].id}` : undefined
    }
  }
}

interface ListProps {
  id: string
  label: ReactNode
  /** The accessible name of the list. */
  name: string
  options: Suggestion[]
  active: number
  emptyText: string
  /** As wide as the composer. */
  isWide?: boolean
  onChoose(option: Suggestion): void
}

/** The list. The focus stays in the text area. */
export function SuggestionList({ id, label, name, options, active, emptyText, isWide, onChoose }: ListProps) {
  const list = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when another one is active.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    <div className={isWide ? `${styles.panel} ${styles.wide}` : styles.panel}>
      <p className={styles.label}>{label}</p>
      {options.length === 0 && <p className={styles.empty}>{emptyText}</p>}
      <div ref={list} id={id} role="listbox" aria-label={name} className={styles.list} hidden={options.length === 0}>
        {options.map((option, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text area takes the keys.
          <div
            key={option.id}
            id={`${id}-${option.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            aria-disabled={option.isLocked}
            className={styles.option}
            onMouseDown={event => event.preventDefault()}
            onClick={() => !option.isLocked && onChoose(option)}
          >
            {option.icon}
            <span className={styles.words}>
              <span className={styles.title}>
                <bdi>{option.title}</bdi>
              </span>
              {option.line && <span className={styles.line}>{option.line}</span>}
            </span>
            {option.mark ? <span>{option.mark}</span> : option.isLocked && <Lock size={14} aria-hidden />}
          </div>
        ))}
      </div>
    </div>
  )
}
