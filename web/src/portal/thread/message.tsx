import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { fullTime, instantOf } from '../../lib/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './thread.module.css'
import { ThreadFiles } from './thread-files.tsx'
import type { Thread } from './ticket-page.tsx'

/** What somebody wrote: the customer, who is "You", or somebody on the staff, by their first name. */
export function Message({ message, isNew }: { message: Thread['messages'][number]; isNew: boolean }) {
  const { id, first_name, sender_type, message: text, created_at, attachments } = message
  const isOwn = sender_type === 'customer'
  const whole = nameOf(message)
  const author = isOwn ? t('portal-ticket.you') : first_name || whole
  return (
    <article
      id={`message-${id}`}
      tabIndex={-1}
      className={styles.message}
      data-new={isNew || undefined}
      aria-label={`${author}, ${fullTime(instantOf(created_at))}`}
    >
      <header className={styles.head}>
        <Avatar person={{ id: numberOf(whole), name: whole, kind: isOwn ? 'client' : 'staff' }} />
        <span className={styles.who}>
          <bdi className={styles.author}>{author}</bdi>
          {isOwn ? (
            <bdi className={styles.role}>{whole}</bdi>
          ) : (
            <span className={styles.role}>{t('portal-ticket.support')}</span>
          )}
        </span>
        <span className={styles.time}>
          <Time at={created_at} style="short" />
        </span>
      </header>
      <div className={styles.body}>
        <MessageText text={text} />
      </div>
      <ThreadFiles files={attachments} />
    </article>
  )
}

/** Customers are not told the ids of staff; the same name always has the same colour. */
function numberOf(name: string): number {
  return [...name].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)!) % 1_000_003, 7)
}
