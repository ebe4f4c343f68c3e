import { Send } from 'lucide-react'
import { Suspense } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { instantOf } from '../../lib/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { statusLabel } from '../../ui/status-icon.tsx'
import { useSecondsLeft } from '../waiting.ts'
import styles from './messages.module.css'
import { recipientNames } from './recipient-names.ts'
import type { Detail } from './thread-types.ts'

const MarkdownText = lazyPart(async () => ({
  default: (await import('../../ui/rich-editor/markdown-text.tsx')).MarkdownText
}))

/** One's own reply that has not gone: nobody else sees it. */
export function WaitingArticle({ reply, detail }: { reply: Detail['waiting_replies'][number]; detail: Detail }) {
  const me = useMe()
  const left = useSecondsLeft(instantOf(reply.undo_until).getTime())
  const { message, attachments, status } = reply
  return (
    <article
      className={`${styles.message} ${styles.waiting}`}
      aria-label={t('thread.messageOfStaff', { name: me.name })}
    >
      <Avatar person={{ id: me.id, name: me.name, kind: 'staff' }} size={28} />
      <div className={styles.content}>
        <div className={styles.who}>
          <b>
            <bdi>{me.name}</bdi>
          </b>
          <span className={styles.role}>{t('thread.support')}</span>
          <span className={styles.role}>{t('thread.inSeconds', { seconds: left })}</span>
        </div>
        <div className={styles.body}>
          <Suspense fallback={message}>
            <MarkdownText text={message} />
          </Suspense>
        </div>
        {attachments.length > 0 && (
          <p className={styles.notSent}>{attachments.map(({ file_name }) => file_name).join(', ')}</p>
        )}
        <p className={styles.notSent}>
          <Send size={12} aria-hidden />
          {t('thread.notSentYet', { names: recipientNames(detail), status: statusLabel(status) })}
        </p>
      </div>
    </article>
  )
}
