import { AlarmClock, CornerUpRight, Eye, MailX, Moon, Paperclip, Pencil } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import type { PresentColleague } from '../../app/event-stream.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { comingTimeInBrief, comingTimeInText } from '../../lib/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Tag } from '../../ui/badge.tsx'
import { PriorityIcon, StatusIcon } from '../../ui/status-icon.tsx'
import { Time } from '../../ui/time.tsx'
import { DueBadge } from '../due/due-badge.tsx'
import type { ListedTicket } from './ticket-list.ts'
import css from './ticket-row.module.css'
import { WaitingMark } from './waiting-mark.tsx'

/** A colleague at a ticket. */
export interface Viewer {
  id: number
  name: string
  state: PresentColleague['state']
}

export interface RowProps {
  ticket: ListedTicket
  href: string
  isOpen: boolean
  isSelected: boolean
  /** Whether the row can be selected. */
  hasCheck: boolean
  /** Whether Tab reaches this row. */
  isCursor: boolean
  hasDraft: boolean
  visitors: readonly Viewer[] | undefined
  onOpen(event: MouseEvent, ticket: ListedTicket): void
  onSelect(ticket: ListedTicket, isRange: boolean): void
  onFocus(ticket: ListedTicket): void
}

/**
 * A ticket as one link. Only the styles of the list decide whether it has one line or two and whether its checkbox is visible, so opening a
 * ticket beside the list renders no row again.
 */
export const TicketRow = memo(function TicketRow(props: RowProps) {
  const { ticket, href, isOpen, isSelected, hasCheck, isCursor } = props
  const classes = [css.row, ticket.unread && css.unread, isSelected && css.selected]
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      <a
        className={css.link}
        href={href}
        aria-current={isOpen ? 'page' : undefined}
        tabIndex={isCursor ? 0 : -1}
        data-ticket={ticket.id}
        onClick={event => props.onOpen(event, ticket)}
        onFocus={() => props.onFocus(ticket)}
      >
        <Content {...props} />
      </a>
      {hasCheck && (
        <label className={`choice ${css.check}`}>
          <input
            type="checkbox"
            checked={isSelected}
            tabIndex={isCursor ? 0 : -1}
            aria-label={t('inbox.selectTicket', { number: ticket.ticket_number })}
            onChange={() => {}}
            onClick={event => props.onSelect(ticket, event.shiftKey)}
          />
        </label>
      )}
    </div>
  )
})

/** The most tags that a wide row shows. */
const tagsShown = 2

function Content({ ticket, visitors, hasDraft }: RowProps) {
  return (
    <>
      <span className={`${css.glyph} ${css.status}`}>
        <StatusIcon status={ticket.status} />
      </span>
      <span className={css.line}>
        <ClientName ticket={ticket} />
        <span className={css.number}>{ticket.ticket_number}</span>
        <Time at={ticket.updated_at} style="relative" />
      </span>
      <span className={`${css.glyph} ${css.priority}`}>
        <PriorityIcon priority={ticket.priority} />
      </span>
      <span className={css.line}>
        <SubjectText ticket={ticket} />
        <span className={css.meta}>
          <WaitingMark ticketId={ticket.id} />
          <Draft isThere={hasDraft} />
          <ThirdParty ticket={ticket} />
          {ticket.tags.slice(0, tagsShown).map(({ id, name, color }) => (
            <Tag key={id} name={name} color={color} />
          ))}
          {ticket.tags.length > tagsShown && <span className={css.more}>+{ticket.tags.length - tagsShown}</span>}
          <Visitors visitors={visitors} />
          <Snoozed ticket={ticket} />
          <Files count={ticket.attachment_count} />
        </span>
        {ticket.sla && (
          <span className={css.due}>
            <DueBadge sla={ticket.sla} />
          </span>
        )}
        <Assignee ticket={ticket} />
      </span>
    </>
  )
}

function ClientName({ ticket: { client } }: { ticket: ListedTicket }) {
  return <bdi className={css.name}>{nameOf(client)}</bdi>
}

function SubjectText({ ticket: { subject, snippet, woken_at, undelivered } }: { ticket: ListedTicket }) {
  return (
    <span className={css.subject}>
      {undelivered === 1 && (
        <span className={css.undelivered}>
          <MailX size={12} aria-hidden /> {t('inbox.notDelivered')}{' '}
        </span>
      )}
      {woken_at && (
        <span className={css.back}>
          <AlarmClock size={12} aria-hidden /> {t('inbox.isBack')}{' '}
        </span>
      )}
      <b>
        <bdi>{subject}</bdi>
      </b>
      {snippet && (
        <>
          {' '}
          <bdi className={css.snippet}>{snippet}</bdi>
        </>
      )}
    </span>
  )
}

function Draft({ isThere }: { isThere: boolean }) {
  return isThere && <span className={css.draft}>{t('inbox.draft')}</span>
}

/** A third party was asked in a side conversation and has not answered. */
function ThirdParty({ ticket }: { ticket: ListedTicket }) {
  if (ticket.side_waiting === 0) return null
  return (
    <span className={css.side} title={t('inbox.sideWaiting')}>
      <CornerUpRight size={12} aria-hidden />
      <span className="visually-hidden">{t('inbox.sideWaiting')}</span>
    </span>
  )
}

function Visitors({ visitors }: Pick<RowProps, 'visitors'>) {
  // Colleagues who are replying come before those who are viewing.
  const visitor = visitors?.find(({ state }) => state === 'replying') ?? visitors?.[0]
  if (!visitor) return null
  const { name, state } = visitor
  const Shown = state === 'replying' ? Pencil : Eye
  const label = t(state === 'replying' ? 'inbox.isReplying' : 'inbox.isViewing', { name })
  return (
    <span className={css.visitor} title={label}>
      <Shown size={12} aria-hidden />
      <span className="visually-hidden">{label}</span>
      <span aria-hidden className={css.visitorName}>
        {name.split(' ')[0]}
      </span>
    </span>
  )
}

/** Until when it is snoozed, at the place of what is due next. */
function Snoozed({ ticket: { snooze } }: { ticket: ListedTicket }) {
  if (!snooze) return null
  const at = snooze.until && new Date(snooze.until)
  const label = at
    ? t('inbox.isSnoozed', { until: comingTimeInText(at) })
    : t('inbox.isSnoozedUntilReply', { kind: snooze.kind })
  return (
    <span className={css.snoozed} title={label}>
      <Moon size={12} aria-hidden />
      <span className="visually-hidden">{label}</span>
      <span aria-hidden>{at ? comingTimeInBrief(at) : t('inbox.untilReply')}</span>
    </span>
  )
}

function Files({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={css.files}>
      <Paperclip size={12} aria-hidden />
      <span aria-hidden>{count}</span>
      <span className="visually-hidden">{t('inbox.files', { count })}</span>
    </span>
  )
}

function Assignee({ ticket: { assignee } }: { ticket: ListedTicket }) {
  return (
    <Avatar
      person={assignee ? { id: assignee.id, name: nameOf(assignee), kind: 'staff' } : undefined}
      size={18}
      alone
    />
  )
}
