import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Key, t } from '../lib/strings.ts'
import { numberText } from '../lib/times.ts'
import styles from './list-search.module.css'

interface ListSearchProps<K extends string> {
  label: string
  typed: string
  onType(typed: string): void
  kindsLabel: string
  kinds: Record<K, { label: Key }>
  /** How many there are of a kind, where that is known. */
  counts?: Partial<Record<K, number>> | undefined
  kind: K
  onKind(kind: K): void
  /** A button beside the search. */
  children?: ReactNode
}

/** Above a list beside its editor: a search, and which of them are shown. */
export function ListSearch<K extends string>({
  label,
  typed,
  onType,
  kindsLabel,
  kinds,
  counts = {},
  kind,
  onKind,
  children
}: ListSearchProps<K>) {
  return (
    <div className={styles.search}>
      <Search size={14} aria-hidden />
      <div className={styles.field}>
        <input
          type="search"
          className="input"
          aria-label={label}
          placeholder={label}
          maxLength={255}
          value={typed}
          onChange={event => onType(event.target.value)}
        />
        {children}
      </div>
      <fieldset className={styles.kinds}>
        <legend className="visually-hidden">{kindsLabel}</legend>
        {(Object.keys(kinds) as K[]).map(each => (
          <button
            key={each}
            type="button"
            className={each === kind ? 'chip on' : 'chip'}
            aria-pressed={each === kind}
            onClick={() => onKind(each)}
          >
            {t(kinds[each].label)} {counts[each] ? <span className="num">{numberText(counts[each])}</span> : undefined}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
