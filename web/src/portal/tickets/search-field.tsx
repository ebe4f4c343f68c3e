import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../lib/strings.ts'
import styles from './my-tickets.module.css'

/** Searches while somebody types, a moment after the last key. */
export function SearchField({ value, onChange }: { value: string; onChange(words: string): void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => typed.trim() !== value && onChange(typed.trim()), 200)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])

  return (
    <search className={styles.search}>
      <Search size={16} aria-hidden />
      <input
        type="search"
        aria-label={t('portal.search')}
        placeholder={t('portal.search')}
        maxLength={255}
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
    </search>
  )
}
