import {
  ArchiveRestore,
  ArrowLeft,
  Bell,
  ChevronDown,
  ChevronUp,
  Copy,
  CornerUpRight,
  Ellipsis,
  GitMerge,
  Mails,
  Moon,
  PanelRight,
  Printer,
  Split,
  Trash2,
  Workflow
} from 'lucide-react'
import type { PresentColleague } from '../../app/event-stream.ts'
import { can } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { Link } from '../navigation.ts'
import { PresenceLine } from '../presence/presence-line.tsx'
import type { SnoozeChoice } from '../snooze/snooze-choice.ts'
import { SnoozeMenu } from '../snooze/snooze-menu.tsx'
import type { SnoozePanelProps } from '../snooze/snooze-panel.tsx'
import { useAdjacentTickets } from './adjacent-tickets.ts'
import type { useDetailsAside } from './details-aside.tsx'
import { useRights } from './properties.tsx'
import styles from './thread-head.module.css'
import type { Detail } from './thread-types.ts'
import type { ThreadActions } from './use-thread-actions.ts'

interface ThreadHeadProps {
  detail: Detail
  actions: ThreadActions
  hasEvents: boolean
  onEvents(): void
  details: ReturnType<typeof useDetailsAside>
  isWatching: boolean
  others: PresentColleague[]
  /** The view of the list. */
  view: string
  onOpen(number: string): void
  /** Begins to split messages off; undefined if that is not possible. */
  onSplit: (() => void) | undefined
  /** Begins a side conversation; undefined if this person may not. */
  onForward: (() => void) | undefined
  /** Third parties who have not answered. */
  awaited: SnoozePanelProps['awaited']
  onSnooze(choice: SnoozeChoice): void
  children?: React.ReactNode
}

/** The head of a ticket: its number and subject, who else is here, and the actions on the whole ticket. */
export function ThreadHead(props: ThreadHeadProps) {
  const {
    detail,
    actions,
    hasEvents,
    onEvents,
    details,
    isWatching,
    others,
    view,
    onOpen,
    awaited,
    onSnooze,
    children
  } = props
  const { ticket } = detail
  const { maySnooze } = useRights(ticket)
  const { previous, next } = useAdjacentTickets(ticket.ticket_number)

  return (
    <header className={styles.head}>
      <div className={styles.top}>
        <Link to="/$view" params={{ view }} search className={`icon-btn ${styles.back}`} aria-label={t('thread.back')}>
          <ArrowLeft size={20} aria-hidden />
        </Link>
        <span className={styles.number}>{ticket.ticket_number}</span>
        <IconButton
          icon={Copy}
          label={t('thread.copyLink')}
          className={styles.copy!}
          onClick={() => void copyLink(ticket.ticket_number)}
        />
        <span className={styles.department}>{ticket.department.name}</span>
        <span className={styles.gap} />
        <PresenceLine others={others} viewing="thread.isViewing" typing="thread.isReplying" />
        {maySnooze && (
          <SnoozeMenu
            label={t('thread.snooze')}
            client={ticket.client.first_name}
            ticket={ticket.sla ? ticket.id : undefined}
            former={ticket.snooze}
            awaited={awaited}
            onChoose={onSnooze}
            trigger={trigger => (
              <IconButton
                {...trigger}
                icon={Moon}
                label={t('thread.snooze')}
                shortcut="H"
                pressed={ticket.snooze !== null}
                data-property="snooze"
              />
            )}
          />
        )}
        <IconButton
          icon={Bell}
          label={isWatching ? t('thread.unwatch') : t('thread.watch')}
          pressed={isWatching}
          shortcut="W"
          className={styles.watch!}
          onClick={() => void actions.watch(!isWatching)}
        />
        <Menu
          align="end"
          items={menuOf(props, hasEvents, onEvents)}
          trigger={trigger => <IconButton {...trigger} icon={Ellipsis} label={t('thread.moreActions')} />}
        />
        <span className={styles.neighbours}>
          <IconButton
            icon={ChevronUp}
            label={t('thread.previousTicket')}
            disabled={!previous}
            onClick={() => previous && onOpen(previous.ticket_number)}
          />
          <IconButton
            icon={ChevronDown}
            label={t('thread.nextTicket')}
            disabled={!next}
            onClick={() => next && onOpen(next.ticket_number)}
          />
        </span>
        <span className={details.isHidden ? undefined : styles.details}>
          <IconButton icon={PanelRight} label={t('thread.details')} shortcut="." onClick={details.toggle} />
        </span>
      </div>
      <PageTitle key={ticket.ticket_number} className={styles.subject!}>
        <bdi>{ticket.subject}</bdi>
      </PageTitle>
      {children}
    </header>
  )
}

/** The items of the menu. Actions without permission are left out, and in the trash only restoring is possible. */
function menuOf(
  { detail, actions, isWatching, onSplit, onForward }: ThreadHeadProps,
  hasEvents: boolean,
  onEvents: () => void
): MenuItem[] {
  const { ticket } = detail
  const mayEdit = can('tickets.edit_status') && ticket.trashed_at === null
  const isMerged = ticket.merged_into_id !== null
  const items: MenuItem[] = [
    { label: t('thread.copyLink'), icon: Copy, onSelect: () => void copyLink(ticket.ticket_number) },
    {
      kind: 'checkbox',
      label: t('thread.watch'),
      checked: isWatching,
      onSelect: () => void actions.watch(!isWatching)
    },
    { kind: 'checkbox', label: t('thread.showChanges'), checked: hasEvents, onSelect: onEvents },
    { label: t('thread.rulesHere'), icon: Workflow, onSelect: actions.automation },
    { label: t('thread.emailsHere'), icon: Mails, shortcut: 'Shift m', onSelect: actions.emails },
    { label: t('thread.print'), icon: Printer, onSelect: () => actions.print(false) },
    { label: t('thread.printWithNotes'), icon: Printer, onSelect: () => actions.print(true) }
  ]
  if (onForward) items.push({ label: t('side.forward'), icon: CornerUpRight, onSelect: onForward })
  if (mayEdit || can('tickets.delete')) items.push({ kind: 'separator' })
  if (mayEdit && !isMerged) items.push({ label: t('thread.mergeMenu'), icon: GitMerge, onSelect: actions.merge })
  if (onSplit) items.push({ label: t('links.splitOff'), icon: Split, onSelect: onSplit })
  if (mayEdit && isMerged)
    items.push({ label: t('thread.unmerge'), icon: Split, onSelect: () => void actions.unmerge(ticket.id) })
  if (can('tickets.delete') && !isMerged) {
    items.push(
      ticket.trashed_at === null
        ? { label: t('thread.trash'), icon: Trash2, danger: true, onSelect: actions.trash }
        : { label: t('thread.restore'), icon: ArchiveRestore, onSelect: () => void actions.restore() }
    )
  }
  return items
}

async function copyLink(number: string): Promise<void> {
  await navigator.clipboard.writeText(`${location.origin}${location.pathname}`)
  toast({ text: t('thread.linkCopied', { number }) })
}
