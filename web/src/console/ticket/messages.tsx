import { CornerUpRight, Ellipsis, Split, StickyNote } from 'lucide-react'
import { memo } from 'react'
import { RichText } from '../../app/rich-text/rich-text.tsx'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { Avatar, type Person } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { AttachmentList } from './attachments.tsx'
import { MessageDeliveries } from './message-deliveries.tsx'
import { MessageEmail, useShowsOriginal } from './message-email.tsx'
import styles from './messages.module.css'
import { NoteText } from './note-text.tsx'
import { SenderAuthentication } from './sender-authentication.tsx'
import splitStyles from './split.module.css'
import type { Message, Note } from './thread-types.ts'

interface MessageArticleProps {
  message: Message
  /** The id of the staff member who wrote it, if known. */
  authorId: number | undefined
  /** Whether it was written after this person began to write. */
  isNew: boolean
  /** The number of its ticket, if the thread has several merged ones. */
  showsNumber: boolean
  /** Begins to split it off; undefined if it cannot be. */
  onSplit: ((message: number) => void) | undefined
  /** Begins a side conversation with it; undefined if this person may not. */
  onForward: ((message: Message) => void) | undefined
}

/** A message of the client or of staff. */
export const MessageArticle = memo(function MessageArticle(props: MessageArticleProps) {
  const { message, authorId, isNew, showsNumber, onSplit, onForward } = props
  const name = nameOf(message)
  const isClient = message.sender_type === 'customer'
  const isOriginal = useShowsOriginal(message)
  const person: Person = { id: authorId ?? idOfName(name), name, kind: isClient ? 'client' : 'staff' }
  const kind = isNew ? styles.fresh : isClient ? '' : styles.staff
  return (
    <article className={`${styles.message} ${kind}`} data-message={message.id} aria-label={labelOf(name, message)}>
      <Avatar person={person} size={28} />
      <div className={styles.content}>
        <div className={styles.who}>
          <b>
            <bdi>{name}</bdi>
          </b>
          <span className={isNew ? styles.new : styles.role}>
            {isNew ? t('thread.new') : isClient ? t('thread.client') : t('thread.support')}
          </span>
          {showsNumber && <span className={styles.role}>{message.ticket_number}</span>}
          {message.email && <SenderAuthentication email={message.email} />}
          {(onSplit || onForward) && (
            <MessageMenu
              onSplit={onSplit && (() => onSplit(message.id))}
              onForward={onForward && (() => onForward(message))}
            />
          )}
          <Time at={message.created_at} style="short" />
        </div>
        <div className={styles.body} hidden={isOriginal}>
          <RichText text={message.message} html={message.format && message.html} files={message.attachments} />
        </div>
        <MessageEmail message={message} />
        <MessageDeliveries message={message} />
        <AttachmentList files={message.attachments} />
      </div>
    </article>
  )
})

interface MessageMenuProps {
  onSplit: (() => void) | undefined
  onForward: (() => void) | undefined
}

function MessageMenu({ onSplit, onForward }: MessageMenuProps) {
  return (
    <span className={splitStyles.menu}>
      <Menu
        align="end"
        items={[
          ...(onForward ? [{ label: t('side.forward'), icon: CornerUpRight, onSelect: onForward }] : []),
          ...(onSplit ? [{ label: t('links.splitOff'), icon: Split, onSelect: onSplit }] : [])
        ]}
        trigger={trigger => <IconButton {...trigger} icon={Ellipsis} label={t('links.messageActions')} />}
      />
    </span>
  )
}

/** A note, which only staff see. */
export const NoteArticle = memo(function NoteArticle({ note }: { note: Note }) {
  const name = nameOf(note.author)
  return (
    <article
      className={`${styles.message} ${styles.note}`}
      data-note={note.id}
      aria-label={`${t('thread.noteLabel')}, ${name}`}
    >
      <Avatar person={{ id: note.author.id ?? 0, name, kind: 'staff' }} size={28} />
      <div className={styles.content}>
        <div className={styles.who}>
          <b>
            <bdi>{name}</bdi>
          </b>
          <span className={styles.noteLabel}>
            <StickyNote size={12} aria-hidden />
            {t('thread.noteLabel')}
          </span>
          <Time at={note.created_at} style="short" />
        </div>
        <div className={styles.body}>
          <NoteText note={note} />
        </div>
        <AttachmentList files={note.attachments} />
      </div>
    </article>
  )
})

function labelOf(name: string, { sender_type }: Message): string {
  return sender_type === 'customer' ? t('thread.messageOfClient', { name }) : t('thread.messageOfStaff', { name })
}

/** A number from the name gives people without a known id a constant colour. */
function idOfName(name: string): number {
  return [...name].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)!) % 100_003, 7)
}
