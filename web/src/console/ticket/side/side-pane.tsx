import {
  CheckCheck,
  CornerUpRight,
  Ellipsis,
  EyeOff,
  Lock,
  Mail,
  MessageSquareText,
  Paperclip,
  Quote,
  X
} from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { deliveryReasonText } from '../../../app/delivery-reasons.ts'
import { failureText } from '../../../app/failures.ts'
import { useMe } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { RichText } from '../../../app/rich-text/rich-text.tsx'
import { t } from '../../../lib/strings.ts'
import { instantOf, timeInText } from '../../../lib/times.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { MessageText } from '../../../ui/message-text.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AttachmentList, copyOf } from '../attachments.tsx'
import type { Detail } from '../thread-types.ts'
import styles from './side.module.css'
import { SideComposer } from './side-composer.tsx'
import { NotSentYet } from './side-conversations.tsx'
import { type Conversation, partnerOf, type WaitingMessage } from './use-side.ts'

interface SideFrameProps {
  subject: string
  client: string
  tools?: ReactNode
  onClose(): void
  children: ReactNode
}

/** The pane in the place of the details: what is in it goes to somebody who is neither client nor staff. */
export function SideFrame({ subject, client, tools, onClose, children }: SideFrameProps) {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    pane.current?.querySelector<HTMLElement>('h2')?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <aside
      ref={pane}
      className={styles.pane}
      aria-label={t('side.one')}
      onKeyDown={event => {
        if (event.key !== 'Escape' || document.querySelector('[popover]:popover-open')) return
        event.stopPropagation()
        onClose()
      }}
    >
      <header className={styles.head}>
        <div className={styles.headTop}>
          <span className={styles.label}>
            <CornerUpRight size={14} aria-hidden />
            {t('side.one')}
          </span>
          {tools}
          <IconButton icon={X} label={t('ui.close')} onClick={onClose} />
        </div>
        <h2 tabIndex={-1}>
          <bdi>{subject}</bdi>
        </h2>
        <p className={styles.never}>
          <EyeOff size={14} aria-hidden />
          {t('side.neverSees', { client })}
        </p>
      </header>
      {children}
    </aside>
  )
}

interface SidePaneProps {
  conversation: Conversation
  /** One's own messages in it that have not gone. */
  waiting: readonly WaitingMessage[]
  ticket: Pick<Detail['ticket'], 'id' | 'ticket_number'>
  client: string
  mayWrite: boolean
  /** Takes a text and files into the reply to the client. */
  onTake(text: string, files: readonly File[]): void
  onClose(): void
}

/** A side conversation beside the thread. */
export function SidePane({ conversation, waiting, ticket, client, mayWrite, onTake, onClose }: SidePaneProps) {
  const { id, subject, waits, is_closed } = conversation
  const query = useApiQuery('/api/admin/tickets/conversations/detail', { id })
  const [error, setError] = useState<unknown>()
  const partner = partnerOf(conversation)
  const me = useMe()

  async function change(changed: { waits?: 0 | 1; is_closed?: 0 | 1 }) {
    try {
      await post('/api/admin/tickets/conversations/update', { id, ...changed })
      reloadSide()
    } catch (error) {
      setError(error)
    }
  }

  const tools = (
    <>
      {waits === 1 && is_closed === 0 && (
        <span className={styles.waits}>
          <Lock size={12} aria-hidden />
          {t('side.closingWaits')}
        </span>
      )}
      {mayWrite && (
        <Menu
          align="end"
          items={[
            {
              kind: 'checkbox',
              label: t('side.closingWaits'),
              checked: waits === 1,
              onSelect: () => void change({ waits: waits === 1 ? 0 : 1 })
            },
            {
              label: is_closed === 1 ? t('side.reopen') : t('side.end'),
              onSelect: () => void change({ is_closed: is_closed === 1 ? 0 : 1 })
            }
          ]}
          trigger={trigger => <IconButton {...trigger} icon={Ellipsis} label={t('side.more')} />}
        />
      )}
    </>
  )
  return (
    <SideFrame key={id} subject={subject} client={client} tools={tools} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by key. */}
      <section className={styles.messages} tabIndex={0} aria-label={subject}>
        {error !== undefined && <Banner tone="bad">{failureText(error)}</Banner>}
        <QueryState query={query} skeleton={<Skeleton lines={4} />}>
          {({ conversation }) => (
            <>
              {conversation.messages.map(message => (
                <SideMessage
                  key={message.id}
                  message={message}
                  conversation={conversation}
                  client={client}
                  onTake={mayWrite ? onTake : undefined}
                />
              ))}
              {conversation.messages_in_thread.map(({ message_id, name, created_at }) => (
                <Banner key={message_id}>
                  {t('side.wroteHere', { name, time: timeInText(instantOf(created_at)) })}
                </Banner>
              ))}
            </>
          )}
        </QueryState>
        {waiting.map(message => (
          <article key={message.side_message_id} className={`${styles.message} ${styles.own}`}>
            <Avatar person={{ id: me.id, name: me.name, kind: 'staff' }} />
            <div className={styles.content}>
              <MessageText text={message.message} />
              <NotSentYet message={message} name={partner} />
            </div>
          </article>
        ))}
        {is_closed === 1 && <p className={styles.small}>{t('side.endedText')}</p>}
      </section>
      {mayWrite && <SideComposer id={id} partner={partner} ticket={ticket} />}
    </SideFrame>
  )
}

type Message = NonNullable<
  ReturnType<typeof useApiQuery<'/api/admin/tickets/conversations/detail'>>['data']
>['conversation']['messages'][number]

interface SideMessageProps {
  message: Message
  conversation: Pick<Conversation, 'id' | 'participants'>
  client: string
  onTake: ((text: string, files: readonly File[]) => void) | undefined
}

function SideMessage({ message, conversation: { id: conversation, participants }, client, onTake }: SideMessageProps) {
  const words = useRef<HTMLDivElement>(null)
  const { name, sender_type, staff_id, forwarded, attachments, deliveries, quoted } = message
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [isTaking, setTaking] = useState(false)
  const isStaff = sender_type === 'staff'

  async function take() {
    const text = markedIn(words.current) || message.message
    setTaking(true)
    try {
      onTake?.(text, await Promise.all(attachments.filter(({ id }) => chosen.has(id)).map(copyOf)))
      setChosen(new Set())
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    } finally {
      setTaking(false)
    }
  }

  const person = isStaff
    ? { id: staff_id ?? 0, name, kind: 'staff' as const }
    : { id: conversation, name, kind: 'partner' as const }
  return (
    <>
      <article className={isStaff ? `${styles.message} ${styles.own}` : styles.message} aria-label={name}>
        <Avatar person={person} />
        <div className={styles.content}>
          <div className={styles.who}>
            <b>
              <bdi>{name}</bdi>
            </b>
            {participants.some(({ email, role }) => role === 'new' && email === message.email) && (
              <span className={styles.small}>{t('side.newHere')}</span>
            )}
            {message.is_automatic === 1 && <span className={styles.small}>{t('side.automatic')}</span>}
            <Time at={message.created_at} style="short" />
          </div>
          {message.copies_client === 1 && <Banner tone="warn">{t('side.copiesClient', { name, client })}</Banner>}
          <div ref={words}>
            <RichText text={message.message} html={message.format && message.html} files={attachments} />
          </div>
          {quoted && (
            <details className={styles.fold}>
              <summary>{t('ui.earlierText')}</summary>
              <MessageText text={quoted} />
            </details>
          )}
          {forwarded.length > 0 && (
            <details className={styles.along}>
              <summary>
                <MessageSquareText size={14} aria-hidden />
                {t('side.wentAlong', { count: forwarded.length })}
              </summary>
              {forwarded.map(({ message_id, by, text }) => (
                <div key={message_id} className={styles.alongText}>
                  <b>
                    <bdi>{by}</bdi>
                  </b>
                  <MessageText text={text} />
                </div>
              ))}
            </details>
          )}
          {isStaff && attachments.length > 0 && (
            <p className={styles.small}>
              <Paperclip size={12} aria-hidden /> {t('side.filesAlong', { count: attachments.length })}
            </p>
          )}
          <AttachmentList files={attachments} />
          {!isStaff && onTake && (
            // What is marked stays marked.
            <div className={styles.take} onPointerDown={event => event.preventDefault()}>
              {attachments.map(({ id, file_name }) => (
                <Checkbox
                  key={id}
                  checked={chosen.has(id)}
                  label={t('side.takeFile', { file: file_name })}
                  onChange={isChosen => setChosen(withOrWithout(chosen, id, isChosen))}
                />
              ))}
              <Button size="sm" variant="quiet" icon={Quote} busy={isTaking} onClick={() => void take()}>
                {t('side.takeIn')}
              </Button>
            </div>
          )}
        </div>
      </article>
      {deliveries.map(({ email, state, reason, reason_code }) => (
        <p key={email} className={state === 'bounced' ? `${styles.delivery} ${styles.bad}` : styles.delivery}>
          {state === 'bounced' ? <Mail size={12} aria-hidden /> : <CheckCheck size={12} aria-hidden />}
          {state === 'bounced'
            ? t('side.notDelivered', { email, reason: deliveryReasonText(reason_code, reason) })
            : t(`side.delivery.${state}`, { email })}
        </p>
      ))}
    </>
  )
}

function withOrWithout(chosen: ReadonlySet<number>, id: number, isChosen: boolean): ReadonlySet<number> {
  const others = [...chosen].filter(other => other !== id)
  return new Set(isChosen ? [...others, id] : others)
}

/** The words that are marked within an element; '' without any. */
function markedIn(element: HTMLElement | null): string {
  const selection = getSelection()
  const isInside = element !== null && selection?.anchorNode && element.contains(selection.anchorNode)
  return isInside && element.contains(selection.focusNode) ? selection.toString().trim() : ''
}

/** After a write: the list, the open conversation and the ticket. */
export function reloadSide(): void {
  for (const path of ['list', 'detail'] as const) void reloadQueries(`/api/admin/tickets/conversations/${path}`)
}
