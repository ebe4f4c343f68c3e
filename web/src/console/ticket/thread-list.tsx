import { ArrowDown, ChevronDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { instantOf, timeInText } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import { useWaitingReplies } from '../waiting.ts'
import { EventLines } from './event-lines.tsx'
import type { NamedTicket, Names } from './event-sentence.ts'
import messageStyles from './messages.module.css'
import { MessageArticle, NoteArticle } from './messages.tsx'
import { SideBlock } from './side/side-block.tsx'
import type { Conversation } from './side/use-side.ts'
import { SplitChoice } from './split-choice.tsx'
import styles from './thread-list.module.css'
import type { Detail, Message } from './thread-types.ts'
import { messageAuthors } from './ticket-colleagues.ts'
import { type TimelineData, type TimelineLine, timelineOf } from './timeline.ts'
import type { Choosing } from './use-split.ts'
import { WaitingArticle } from './waiting-article.tsx'

interface ThreadListProps {
  detail: Detail
  thread: TimelineData
  names: Names
  hasEvents: boolean
  isUnfolded: boolean
  onUnfold(): void
  isLoadingEarlier: boolean
  /** The newest message that was read before this visit. */
  seenBefore: number | undefined
  /** The newest message when this person began to write. */
  begunAfter: number | undefined
  onlyTicket: number | undefined
  /** What is being chosen to be split off. */
  choosing: Choosing | undefined
  /** Begins to split this message off; undefined if this person may not. */
  onSplit: ((message: number) => void) | undefined
  /** The first message of the ticket, which stays. */
  firstMessage: number | undefined
  onUnsplit(target: NamedTicket): void
  /** Begins a side conversation with this message; undefined if this person may not. */
  onForward: ((message: Message) => void) | undefined
  side: readonly Conversation[]
  onSide(id: number): void
}

/** The thread. It is scrolled to its end and stays there while messages arrive; further up, a button leads to them. */
export function ThreadList(props: ThreadListProps) {
  const { detail, thread, isUnfolded, hasEvents, seenBefore, begunAfter, onlyTicket } = props
  const me = useMe()
  const authors = useMemo(() => messageAuthors(thread), [thread])
  const isOwn = useCallback(
    (message: Message) =>
      message.sender_type !== 'customer' && (authors.get(message.id) === me.id || nameOf(message) === me.name),
    [authors, me]
  )
  const lines = useMemo(
    () => timelineOf(thread, { isUnfolded, hasEvents, seenBefore, begunAfter, isOwn, onlyTicket }),
    [thread, isUnfolded, hasEvents, seenBefore, begunAfter, isOwn, onlyTicket]
  )
  const newest = Math.max(0, ...thread.messages.map(({ id }) => id))
  const scroller = useRef<HTMLDivElement>(null)
  const { isAtEnd, toEnd } = useEndOfScroll(scroller, `${detail.ticket.id}`, lines)
  const hasToast = useWaitingReplies().length > 0
  const waiting = detail.waiting_replies.filter(({ state }) => state === 'waiting')
  const arrived = useArrived(thread.messages, newest, isAtEnd, isOwn)

  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by key. */}
      <section ref={scroller} className={styles.scroller} aria-label={t('thread.thread')} tabIndex={0}>
        <div className={hasToast ? `${styles.lines} ${styles.hasToast}` : styles.lines}>
          {withSide(lines, props.side).map(line =>
            'conversation' in line ? (
              <SideBlock
                key={`side ${line.conversation.id}`}
                conversation={line.conversation}
                client={detail.ticket.client.first_name}
                onOpen={() => props.onSide(line.conversation.id)}
              />
            ) : (
              <LineOf key={line.key} line={line} authors={authors} {...props} />
            )
          )}
          {waiting.map(reply => (
            <WaitingArticle key={reply.message_id} reply={reply} detail={detail} />
          ))}
        </div>
      </section>
      {arrived > 0 && !isAtEnd && (
        <button type="button" className={styles.pill} onClick={toEnd}>
          <ArrowDown size={14} aria-hidden />
          {t('thread.newMessages', { count: arrived })}
        </button>
      )}
    </div>
  )
}

function LineOf({ line, authors, ...props }: ThreadListProps & { line: TimelineLine; authors: Map<number, number> }) {
  const { detail, names, onUnfold, isLoadingEarlier, choosing, onSplit, firstMessage, onUnsplit, onForward } = props
  if (line.type === 'message') {
    const { message, isNew } = line
    const showsNumber = detail.merged_sources.length > 0
    const isOwn = message.ticket_id === detail.ticket.id
    const mayStart = !choosing && isOwn && message.id !== firstMessage
    const article = (
      <MessageArticle
        message={message}
        isNew={isNew}
        authorId={authors.get(message.id)}
        showsNumber={showsNumber}
        onSplit={mayStart ? onSplit : undefined}
        onForward={choosing ? undefined : onForward}
      />
    )
    if (!choosing) return article
    const label = t(choosing.kind === 'forward' ? 'side.chooseMessage' : 'links.chooseMessage', {
      name: nameOf(message),
      time: timeInText(instantOf(message.created_at))
    })
    return (
      <SplitChoice
        entry={{ type: 'message', id: message.id }}
        label={label}
        choosing={choosing}
        isOwn={isOwn || choosing.kind === 'forward'}
      >
        {article}
      </SplitChoice>
    )
  }
  if (line.type === 'note') {
    const { note } = line
    if (!choosing) return <NoteArticle note={note} />
    const label = t('links.chooseNote', { name: nameOf(note.author), time: timeInText(instantOf(note.created_at)) })
    const isOwn = note.ticket_id === detail.ticket.id
    return (
      <SplitChoice entry={{ type: 'note', id: note.id }} label={label} choosing={choosing} isOwn={isOwn}>
        <NoteArticle note={note} />
      </SplitChoice>
    )
  }
  if (line.type === 'events')
    return <EventLines events={line.events} names={names} detail={detail} onUnsplit={onUnsplit} />
  if (line.type === 'new') return <p className={messageStyles.newLine}>{t('thread.newSince')}</p>
  return (
    <div className={messageStyles.fold}>
      <button type="button" onClick={onUnfold} aria-busy={isLoadingEarlier}>
        <ChevronDown size={12} aria-hidden />
        {t('thread.earlierMessages', { count: line.count })}
      </button>
    </div>
  )
}

/** The side conversations stand where they were last written in. */
function withSide(
  lines: TimelineLine[],
  side: readonly Conversation[]
): (TimelineLine | { conversation: Conversation })[] {
  if (side.length === 0) return lines
  const placed: (TimelineLine | { conversation: Conversation })[] = [...lines]
  for (const conversation of side.toReversed()) {
    const at = conversation.last_message?.created_at ?? conversation.created_at
    const before = placed.findLastIndex(line => timeOf(line) !== undefined && timeOf(line)! <= at)
    placed.splice(before + 1, 0, { conversation })
  }
  return placed
}

function timeOf(line: TimelineLine | { conversation: Conversation }): string | undefined {
  if ('conversation' in line) return line.conversation.last_message?.created_at
  if (line.type === 'message') return line.message.created_at
  if (line.type === 'note') return line.note.created_at
  return line.type === 'events' ? line.events.at(-1)?.created_at : undefined
}

const nearEndPixels = 48

/** Scrolls to the end, and stays there while the content grows, unless the reader has scrolled away. */
function useEndOfScroll(scroller: { current: HTMLElement | null }, key: string, lines: TimelineLine[]) {
  const [isAtEnd, setAtEnd] = useState(true)
  const wasAtEnd = useRef(true)
  const fromEnd = useRef(0)
  const first = useRef<string>(undefined)

  const toEnd = useCallback(() => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [scroller])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another ticket begins at its end.
  useLayoutEffect(() => {
    wasAtEnd.current = true
    first.current = undefined
    setAtEnd(true)
    toEnd()
  }, [key])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const isUnfolded = first.current !== undefined && first.current !== lines[0]?.key
    first.current = lines[0]?.key
    if (wasAtEnd.current && !isUnfolded) element.scrollTop = element.scrollHeight
    // Entries that are loaded above must not move the visible ones.
    else if (isUnfolded) element.scrollTop = element.scrollHeight - fromEnd.current
  }, [lines, scroller])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      fromEnd.current = element.scrollHeight - element.scrollTop
      wasAtEnd.current = fromEnd.current - element.clientHeight < nearEndPixels
      setAtEnd(wasAtEnd.current)
    }
    // Pictures and the composer change the height without a scroll event.
    const grown = new ResizeObserver(() => {
      if (wasAtEnd.current) element.scrollTop = element.scrollHeight
      else look()
    })
    element.addEventListener('scroll', look, { passive: true })
    grown.observe(element)
    if (element.firstElementChild) grown.observe(element.firstElementChild)
    look()
    return () => {
      element.removeEventListener('scroll', look)
      grown.disconnect()
    }
  }, [scroller])

  return { isAtEnd, toEnd }
}

/** The number of messages of others since the end of the thread was last visible. Each is announced. */
function useArrived(messages: Message[], newest: number, isAtEnd: boolean, isOwn: (message: Message) => boolean) {
  const known = useRef(newest)
  const read = useRef(newest)
  useEffect(() => {
    const fresh = messages.filter(message => message.id > known.current && !isOwn(message))
    known.current = Math.max(known.current, newest)
    const last = fresh.at(-1)
    if (last) announce(t('thread.messageArrived', { name: nameOf(last) }))
  }, [messages, newest, isOwn])
  useEffect(() => {
    if (isAtEnd) read.current = newest
  }, [isAtEnd, newest])
  return messages.filter(message => message.id > read.current && !isOwn(message)).length
}
