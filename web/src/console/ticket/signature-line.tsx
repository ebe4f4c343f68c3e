import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Link } from '../navigation.ts'
import { type ChosenRecipients, isSame } from './chosen-recipients.ts'
import { usePossibleRecipients } from './possible-recipients.ts'
import styles from './signature-line.module.css'

interface SignatureLineProps {
  ticketId: number
  chosen: ChosenRecipients | undefined
  onChange(signature: ChosenRecipients['signature']): void
}

const choices = ['both', 'address', 'none'] as const

/** What stands below the e-mail, in one line; open, as the client gets it. It is no part of the text. */
export function SignatureLine({ ticketId, chosen, onChange }: SignatureLineProps) {
  const [isOpen, setOpen] = useState(false)
  const own = useApiQuery('/api/account/signature', undefined, { enabled: isOpen })
  const possible = usePossibleRecipients(ticketId)
  const sender = possible?.senders.find(({ address, is_usual }) =>
    chosen?.from ? isSame(address, chosen.from) : is_usual === 1
  )
  if (!possible) return null
  const choice = chosen?.signature ?? 'both'
  const text = choice === 'none' ? '' : (sender ?? possible).signature[choice]
  const hasNone = own.data && Object.keys(own.data.signature.texts).length === 0
  return (
    <details className={styles.signature} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={12} aria-hidden />
        <span>{text ? t('recipients.signature', { text: inOneLine(text) }) : t('recipients.noSignature')}</span>
      </summary>
      <div className={styles.open}>
        {text && (
          <p dir="auto" className={styles.text}>
            {text}
          </p>
        )}
        <Menu
          items={choices.map(each => ({
            label: t(`recipients.signature.${each}`),
            kind: 'checkbox' as const,
            checked: choice === each,
            onSelect: () => onChange(each === 'both' ? undefined : each)
          }))}
          trigger={props => (
            <Button {...props} size="sm" variant="quiet" icon={ChevronDown}>
              {t(`recipients.signature.${choice}`)}
            </Button>
          )}
        />
        {hasNone && (
          <Link to="/account/signature" className="link">
            {t('recipients.writeSignature')}
          </Link>
        )}
      </div>
    </details>
  )
}

function inOneLine(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .join(', ')
}
