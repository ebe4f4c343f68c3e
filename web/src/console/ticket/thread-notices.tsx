import { can } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Link } from '../navigation.ts'
import { eventSentence, type Names } from './event-sentence.ts'
import styles from './thread-pane.module.css'
import type { Detail } from './thread-types.ts'
import type { ThreadActions } from './use-thread-actions.ts'
import type { Conflict } from './use-ticket-change.ts'

interface ThreadNoticesProps {
  detail: Detail
  actions: ThreadActions
  conflict: Conflict | undefined
  onRepeat(): void
  names: Names
  onlyTicket: number | undefined
  onOnlyTicket(id: number | undefined): void
}

/** Notices about the ticket, between its head and its thread. */
export function ThreadNotices(props: ThreadNoticesProps) {
  const { detail, actions, conflict, onRepeat, names, onlyTicket, onOnlyTicket } = props
  const { ticket, merged_into: into, merged_sources: sources } = detail
  const isMerged = ticket.merged_into_id !== null
  const isTrashed = ticket.trashed_at !== null
  if (!isMerged && !isTrashed && !conflict && sources.length === 0) return null
  return (
    <div className={styles.notices}>
      {isTrashed && (
        <Banner
          tone="warn"
          action={
            can('tickets.delete') ? { label: t('thread.restore'), onClick: () => void actions.restore() } : undefined
          }
        >
          {t('thread.inTrash')}
        </Banner>
      )}
      {isMerged && (
        <Banner
          action={
            can('tickets.edit_status') && !isTrashed
              ? { label: t('thread.unmerge'), onClick: () => void actions.unmerge(ticket.id) }
              : undefined
          }
        >
          {t('thread.wasMerged')}{' '}
          {into ? (
            <Link to="/$view/$ticket" params={{ view: 'all', ticket: into.ticket_number }} className={styles.link}>
              {into.ticket_number} <bdi>{into.subject}</bdi>
            </Link>
          ) : (
            t('thread.unseenTicket')
          )}
        </Banner>
      )}
      {conflict && (
        <Banner tone="warn" action={{ label: t('thread.doAllTheSame'), onClick: onRepeat }}>
          {conflict.event
            ? t('thread.conflict', { what: eventSentence(conflict.event, names) })
            : t('thread.conflictUnknown')}
        </Banner>
      )}
      {sources.length > 0 && (
        <SegmentedControl
          label={t('thread.whichThread')}
          value={String(onlyTicket ?? '')}
          onChange={id => onOnlyTicket(id === '' ? undefined : Number(id))}
          options={[
            { value: '', label: t('thread.allThreads') },
            ...[ticket, ...sources].map(({ id, ticket_number }) => ({ value: String(id), label: ticket_number }))
          ]}
        />
      )}
    </div>
  )
}
