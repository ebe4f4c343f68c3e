import { Plus } from 'lucide-react'
import { t } from '../../../lib/strings.ts'
import { instantOf, shortTime } from '../../../lib/times.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/button.tsx'
import styles from './side.module.css'
import { type Conversation, partnerOf } from './use-side.ts'

interface SideConversationsProps {
  conversations: readonly Conversation[]
  onOpen(id: number): void
  /** Begins a new one; undefined if this person may not. */
  onBegin: (() => void) | undefined
  className: string
}

/** The side conversations of the ticket, in its details. */
export function SideConversations({ conversations, onOpen, onBegin, className }: SideConversationsProps) {
  if (conversations.length === 0 && !onBegin) return null
  return (
    <section className={className} aria-label={t('side.heading')}>
      <div className={styles.rowsHead}>
        <h3>{t('side.heading')}</h3>
        {onBegin && <IconButton icon={Plus} label={t('side.forward')} shortcut="O" onClick={onBegin} />}
      </div>
      <ul>
        {conversations.map(conversation => (
          <li key={conversation.id}>
            <button type="button" className={styles.row} onClick={() => onOpen(conversation.id)}>
              <Avatar person={{ id: conversation.id, name: partnerOf(conversation), kind: 'partner' }} size={22} />
              <span className={styles.rowWords}>
                <bdi className={styles.rowName}>{partnerOf(conversation)}</bdi>
                <span className={styles.small}>{stateText(conversation)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function stateText({ is_closed, is_answered, last_message: last }: Conversation): string {
  if (is_closed) return t('side.ended')
  const time = last ? shortTime(instantOf(last.created_at)) : ''
  return is_answered ? t('side.answeredAt', { time }) : t('side.waitsSince', { time })
}
