import { CornerUpRight } from 'lucide-react'
import { t } from '../../../lib/strings.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from './side.module.css'
import { type Conversation, partnerOf } from './use-side.ts'

/** A side conversation in the thread, at the place of its last message. Opening it shows it beside the thread. */
export function SideBlock({
  conversation,
  client,
  onOpen
}: {
  conversation: Conversation
  client: string
  onOpen(): void
}) {
  const { id, last_message: last } = conversation
  const partner = partnerOf(conversation)
  return (
    <article className={styles.block} data-side={id} aria-label={t('side.notFor', { client })}>
      <Avatar person={{ id, name: partner, kind: 'partner' }} />
      <div className={styles.blockWords}>
        <div className={styles.blockHead}>
          <span className={styles.label}>
            <CornerUpRight size={12} aria-hidden />
            {t('side.notFor', { client })}
          </span>
          {last && <Time at={last.created_at} style="short" />}
        </div>
        <button type="button" className={styles.blockOpen} onClick={onOpen}>
          {last && (
            <>
              <b>
                <bdi>{last.name}</bdi>
              </b>{' '}
              {last.sender_type === 'partner' ? t('side.answered') : t('side.wroteTo', { partner })}{' '}
              <bdi>{last.snippet}</bdi>
            </>
          )}
        </button>
      </div>
    </article>
  )
}
