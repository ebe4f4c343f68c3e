import { ChevronDown, ChevronUp } from 'lucide-react'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { listText } from '../../lib/times.ts'
import { type ChosenRecipients, namesAddressed, shownRecipients } from './chosen-recipients.ts'
import styles from './composer.module.css'
import type { Detail } from './thread-types.ts'

interface RecipientsLineProps {
  detail: Detail
  chosen: ChosenRecipients | undefined
  isOpen: boolean
  onToggle(): void
}

/** To whom a reply goes, in one line, which unfolds the rows. */
export function RecipientsLine({ detail, chosen, isOpen, onToggle }: RecipientsLineProps) {
  const isAsUsual = !chosen?.withoutClient && !chosen?.to?.length
  const name = isAsUsual ? nameOf(detail.ticket.client) : listText(namesAddressed(detail, chosen))
  const { cc, bcc, nameOf: nameFor } = shownRecipients(detail, chosen)
  const Chevron = isOpen ? ChevronUp : ChevronDown
  const parts = [
    cc.length > 0 && t('thread.replyCc', { names: listText(cc.map(nameFor)) }),
    bcc.length > 0 && t('thread.replyBcc', { count: bcc.length })
  ].filter(part => part !== false)
  return (
    <span className={styles.to}>
      <button type="button" className={styles.toButton} aria-expanded={isOpen} onClick={onToggle}>
        <span id="composer-to">
          {chosen
            ? [t('thread.replyTo', { name, count: 0 }), ...parts].join(', ')
            : t('thread.replyTo', { name, count: cc.length })}
        </span>
        <Chevron size={12} aria-hidden />
      </button>
    </span>
  )
}
