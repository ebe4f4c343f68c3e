import { Plus } from 'lucide-react'
import { t } from '../../../lib/strings.ts'
import { instantOf, timeInText } from '../../../lib/times.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { useSecondsLeft } from '../../waiting.ts'
import styles from './side.module.css'
import { type Conversation, partnerOf, recipientOf, type WaitingMessage } from './use-side.ts'

interface SideConversationsProps {
  conversations: readonly Conversation[]
  /** One's own messages that have not gone. */
  waiting: readonly WaitingMessage[]
  onOpen(id: number): void
  /** Begins a new one; undefined if this person may not. */
  onBegin: (() => void) | undefined
  className: string
}

/** The side conversations of the ticket, in its details. */
export function SideConversations({ conversations, waiting, onOpen, onBegin, className }: SideConversationsProps) {
  if (conversations.length === 0 && !onBegin) return null
  return (
    <section className={className} aria-label={t('side.heading')}>
      <div className={styles.rowsHead}>
        <h3>{t('side.heading')}</h3>
        {onBegin && <IconButton icon={Plus} label={t('side.forward')} shortcut="O" onClick={onBegin} />}
      </div>
      <ul>
        {waiting
          .filter(({ forwarding }) => forwarding !== null)
          .map(message => (
            <li key={`waiting ${message.side_message_id}`} className={styles.row}>
              <Avatar
                person={{ id: message.side_message_id, name: recipientOf(message, conversations), kind: 'partner' }}
                size={22}
              />
              <span className={styles.rowWords}>
                <bdi className={styles.rowName}>{recipientOf(message, conversations)}</bdi>
                <NotSentYet message={message} name={recipientOf(message, conversations)} />
              </span>
            </li>
          ))}
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

/** "Not sent yet. Goes to Sungrid in 8 s." */
export function NotSentYet({ message, name }: { message: WaitingMessage; name: string }) {
  const seconds = useSecondsLeft(instantOf(message.undo_until).getTime())
  return <span className={styles.small}>{t('side.notSentYet', { name, seconds })}</span>
}

function stateText({ is_closed, is_answered, last_message: last }: Conversation): string {
  if (is_closed) return t('side.ended')
  const time = last ? timeInText(instantOf(last.created_at)) : ''
  return is_answered ? t('side.answeredAt', { time }) : t('side.waitsSince', { time })
}
