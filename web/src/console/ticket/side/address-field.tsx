import { X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import styles from './side.module.css'

interface AddressFieldProps {
  label: string
  addresses: string[]
  onChange(addresses: string[]): void
  /** What is typed and no chip yet. */
  onTyped(text: string): void
  children?: ReactNode
}

/** E-mail addresses as chips: Enter, a comma or leaving the field makes one of what is typed, Backspace takes the last away. */
export function AddressField({ label, addresses, onChange, onTyped, children }: AddressFieldProps) {
  const id = useId()
  const [text, setText] = useState('')
  const type = (text: string) => {
    setText(text)
    onTyped(text)
  }
  const take = (text: string) => {
    const found = addressesIn(text)
    if (found.length === 0) return false
    onChange([...new Set([...addresses, ...found])])
    type('')
    return true
  }
  return (
    <div className={styles.addresses}>
      <label htmlFor={id}>{label}</label>
      {addresses.map(address => (
        <span key={address} className={styles.chip}>
          <bdi>{address}</bdi>
          <button
            type="button"
            aria-label={t('ui.removeNamed', { name: address })}
            onClick={() => onChange(addresses.filter(each => each !== address))}
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      <input
        id={id}
        type="text"
        inputMode="email"
        autoComplete="off"
        value={text}
        onChange={event => type(event.target.value)}
        onBlur={() => take(text)}
        onPaste={event => {
          if (take(event.clipboardData.getData('text/plain'))) event.preventDefault()
        }}
        onKeyDown={event => {
          if (event.key === 'Backspace' && text === '') onChange(addresses.slice(0, -1))
          if (!['Enter', ',', ';'].includes(event.key) || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          take(text)
        }}
      />
      {children}
    </div>
  )
}

/** The addresses in a text: `a@b.example, C <c@d.example>`. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map(part => part.trim())
    .filter(part => /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$|<[^\s@<>]+@[^\s@<>]+>$/.test(part))
}
