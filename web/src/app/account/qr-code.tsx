import { encode } from 'uqr'
import { t } from '../../lib/strings.ts'
import styles from './account.module.css'

/** Rendered in the page, so that no other service sees the secret. It is dark on white in both themes, because scanners need that. */
export function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={styles.qr} role="img" aria-label={t('account.qrCode')}>
      <path d={path} />
    </svg>
  )
}
