import {
  AlarmClock,
  History,
  Link2,
  Moon,
  Split,
  ThumbsDown,
  ThumbsUp,
  Timer,
  TriangleAlert,
  Workflow
} from 'lucide-react'
import { Children, type ReactNode, Suspense, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Link } from '../navigation.ts'
import {
  eventSentence,
  type NamedTicket,
  type Names,
  otherTicketOf,
  snoozeOfEvent,
  statusOfEvent
} from './event-sentence.ts'
import styles from './messages.module.css'
import { useRights } from './properties.tsx'
import { WhyRule } from './rule-parts.ts'
import type { Detail, TicketEvent } from './thread-types.ts'

const mostInARow = 2

interface EventLinesProps {
  events: TicketEvent[]
  names: Names
  detail: Detail
  onUnsplit(target: NamedTicket): void
}

/** The events between two messages: a line for each, or one line with their number. Splits keep their line. */
export function EventLines({ events, ...props }: EventLinesProps) {
  const [isOpen, setOpen] = useState(false)
  const isFolded = events.length > mostInARow && !isOpen
  const shown = isFolded ? events.filter(({ kind }) => kind === 'ticket.split') : events
  return (
    <>
      {isFolded && (
        <button type="button" className={`${styles.event} ${styles.eventFold}`} onClick={() => setOpen(true)}>
          <span className={styles.eventGlyph}>
            <History size={14} aria-hidden />
          </span>
          {t('thread.changes', { count: events.length - shown.length })}
        </button>
      )}
      {shown.length > 0 && (
        <ul className={styles.events}>
          {shown.map(event => (
            <EventLine key={event.id} event={event} {...props} />
          ))}
        </ul>
      )}
    </>
  )
}

function EventLine({ event, names, detail, onUnsplit }: Omit<EventLinesProps, 'events'> & { event: TicketEvent }) {
  const isSplit = event.kind === 'ticket.split'
  const target = useUnsplittable(event, detail)
  const [isOpen, setOpen] = useState(false)
  const rule = event.cause?.kind === 'rule' ? event.cause : undefined
  return (
    <li className={styles.event} {...(isSplit && { tabIndex: -1, 'data-split': event.id })}>
      <span className={styles.eventGlyph}>
        <Glyph event={event} />
      </span>
      <span>
        <bdi>
          <Sentence event={event} names={names} detail={detail} />
        </bdi>{' '}
        · <Time at={event.created_at} style="short" />
        {event.cause?.name && (
          <>
            {' '}
            ·{' '}
            <bdi>
              {t(event.cause.kind === 'macro' ? 'thread.byMacro' : 'thread.byRule', { name: event.cause.name })}
            </bdi>
          </>
        )}
        {rule !== undefined && (
          <Button
            size="sm"
            variant="quiet"
            className={styles.eventUndo!}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t('thread.why')}
          </Button>
        )}
        {target && (
          <Button size="sm" variant="quiet" className={styles.eventUndo!} onClick={() => onUnsplit(target)}>
            {t('links.undo')}
          </Button>
        )}
      </span>
      {isOpen && rule !== undefined && (
        <Suspense>
          <WhyRule ticketId={detail.ticket.id} rule={rule} />
        </Suspense>
      )}
    </li>
  )
}

function Glyph({ event }: { event: TicketEvent }) {
  const status = statusOfEvent(event)
  if (status) return <StatusIcon status={status} aria-hidden />
  if (event.kind === 'ticket.split' || event.kind === 'ticket.unsplit') return <Split size={14} aria-hidden />
  if (event.kind === 'ticket.linked' || event.kind === 'ticket.unlinked') return <Link2 size={14} aria-hidden />
  if (event.kind === 'sla.breached') return <TriangleAlert size={14} className={styles.late} aria-hidden />
  if (event.kind === 'csat.rated') return <RatingGlyph after={event.after} />
  if (event.cause?.kind === 'rule') return <Workflow size={14} aria-hidden />
  if (event.kind.startsWith('sla.')) return <Timer size={14} aria-hidden />
  const Shown = glyphs[snoozeOfEvent(event) ?? 'other']
  return <Shown size={14} aria-hidden />
}

function RatingGlyph({ after }: Pick<TicketEvent, 'after'>) {
  const Shown = (after as { rating?: string } | null)?.rating === 'bad' ? ThumbsDown : ThumbsUp
  return <Shown size={14} aria-hidden />
}

const glyphs = { snoozed: Moon, woken: AlarmClock, other: History }

/** Where in the sentence the other ticket stands. */
const mark = '\u0001'

/** The sentence, in which the other ticket of a link or a split is a link with its subject. */
function Sentence({ event, names, detail }: { event: TicketEvent; names: Names; detail: Detail }): ReactNode {
  const other = otherTicketOf(event)
  if (!other) return eventSentence(event, names)
  const subject = detail.links.find(({ ticket }) => ticket.id === other.id)?.ticket.subject ?? ''
  const parts = eventSentence(event, names, () => mark).split(mark)
  const link = (
    <Link to="/$view/$ticket" params={{ view: 'all', ticket: other.ticket_number }} className="link">
      {other.ticket_number} <bdi>{subject}</bdi>
    </Link>
  )
  return Children.toArray(parts.flatMap((part, at) => (at === 0 ? [part] : [link, part])))
}

/** The ticket that this event made, as long as the split may be undone from here. */
function useUnsplittable({ kind, after }: TicketEvent, detail: Detail): NamedTicket | undefined {
  const { ticket, links, messages, notes } = detail
  const { mayEdit } = useRights(ticket)
  if (kind !== 'ticket.split' || !mayEdit) return undefined
  const facts = after as {
    split_into?: NamedTicket | null
    messages: { message_id: number }[]
    note_ids: number[]
  }
  const isLinked = (id: number, direction: 'out' | 'in') =>
    links.some(link => link.kind === 'split_from' && link.direction === direction && link.ticket.id === id)
  if (facts.split_into) return isLinked(facts.split_into.id, 'in') ? facts.split_into : undefined
  const isUntouched =
    detail.merged_sources.length === 0 &&
    messages.length === facts.messages.length &&
    messages.every(({ id }) => facts.messages.some(({ message_id }) => message_id === id)) &&
    notes.every(({ id }) => facts.note_ids.includes(id))
  const isFrom = links.some(link => link.kind === 'split_from' && link.direction === 'out')
  return isUntouched && isFrom ? ticket : undefined
}
