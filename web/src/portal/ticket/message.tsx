import { useMe } from '../../app/me.ts'
import { RichText } from '../../app/rich-text/rich-text.tsx'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { fullTime, instantOf } from '../../lib/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './thread.module.css'
import type { Thread } from './thread.ts'
import { ThreadFiles } from './thread-files.tsx'

/** One message of the customer ("You"), a follower, or a member of staff (by first name). */
export function Message({ message, isNew }: { message: Thread['messages'][number]; isNew: boolean }) {
  const { id, first_name, sender_type, message: text, format, html, created_at, attachments } = message
  const { name: own } = useMe()
  const isStaff = sender_type !== 'customer'
  const whole = nameOf(message)
  // Followers answer by e-mail; only the name distinguishes them from the customer.
  const isOwn = !isStaff && whole === own
  const author = isOwn ? t('portal-ticket.you') : isStaff ? first_name || whole : whole
  return (
    <article
      id={`message-${id}`}
      tabIndex={-1}
      className={styles.message}
      data-new={isNew || undefined}
      aria-label={`${author}, ${fullTime(instantOf(created_at))}`}
    >
      <header className={styles.head}>
        <Avatar person={{ id: numberOf(whole), name: whole, kind: isStaff ? 'staff' : 'client' }} />
        <span className={styles.who}>
          <bdi className={styles.author}>{author}</bdi>
          {isOwn ? (
            <bdi className={styles.role}>{whole}</bdi>
          ) : (
            <span className={styles.role}>{t(isStaff ? 'portal-ticket.support' : 'portal-ticket.inCopy')}</span>
          )}
        </span>
        <span className={styles.time}>
          <Time at={created_at} style="short" />
        </span>
      </header>
      <div className={styles.body}>
        <RichText text={text} html={format && html} files={attachments} />
      </div>
      <ThreadFiles files={attachments} />
    </article>
  )
}

/** Customers are not told the ids of staff; the same name always has the same colour. */
function numberOf(name: string): number {
  return [...name].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)!) % 1_000_003, 7)
}
