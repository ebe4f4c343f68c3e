import type { DataOf } from '@deskline/client'
import type { ReactNode } from 'react'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Link } from '../navigation.ts'
import styles from './impact-dialog.module.css'

/** What the service says about a change that is not saved yet. */
export type Impact = DataOf<'/api/admin/sla-policies/impact'>
type Sample = Impact['sample'][number]

interface ImpactDialogProps {
  /** The changes in words. */
  text: ReactNode
  impact: Impact
  /** "Save business hours" */
  saveLabel: string
  busy: boolean
  onSave: () => void
  onClose: () => void
  /** Further choices that change the figures. */
  children?: ReactNode
}

/** What saving moves, before it is saved: how many clocks, and some of the tickets. */
export function ImpactDialog({ text, impact, saveLabel, busy, onSave, onClose, children }: ImpactDialogProps) {
  return (
    <Dialog
      title={t('definition.whatChanges')}
      open
      onClose={onClose}
      size={620}
      footer={
        <>
          <span className={styles.aside}>{t('definition.nobodyIsEmailed')}</span>
          <Button variant="quiet" onClick={onClose} autoFocus>
            {t('definition.keepEditing')}
          </Button>
          <Button variant="primary" busy={busy} onClick={onSave}>
            {saveLabel}
          </Button>
        </>
      }
    >
      <p className={styles.text}>{text}</p>
      {children}
      <Figures impact={impact} />
      {impact.is_partial && <p className={styles.text}>{t('definition.isPartial')}</p>}
      {impact.sample.length > 0 && (
        <Table
          label={t('definition.samples')}
          density="dense"
          columns={[
            { key: 'ticket', label: t('admin.ticket'), cell: row => <Ticket row={row} /> },
            { key: 'clock', label: t('definition.clock'), cell: ({ metric }) => t(`definition.metric.${metric}`) },
            { key: 'was', label: t('definition.wasDue'), cell: ({ was }) => <Due at={was} /> },
            { key: 'is', label: t('definition.willBeDue'), cell: ({ will_be }) => <Due at={will_be} /> }
          ]}
          rows={impact.sample}
          rowKey={({ ticket, metric }) => `${ticket.id} ${metric}`}
        />
      )}
    </Dialog>
  )
}

function Figures({ impact: { running_clocks, earlier, later, newly_breached } }: { impact: Impact }) {
  const figures = [
    [running_clocks, 'definition.clocksRun', false],
    [earlier, 'definition.dueEarlier', false],
    [later, 'definition.dueLater', false],
    [newly_breached, 'definition.lateAtOnce', newly_breached > 0]
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map(([count, label, isBad]) => (
        <div key={label}>
          <dd data-bad={isBad || undefined}>{numberText(count)}</dd>
          <dt>{t(label, { count })}</dt>
        </div>
      ))}
    </dl>
  )
}

function Ticket({ row: { ticket } }: { row: Sample }) {
  return (
    <Link
      to="/$view/$ticket"
      params={{ view: 'all', ticket: ticket.ticket_number }}
      className={styles.ticket}
      target="_blank"
    >
      <span className="num">{ticket.ticket_number}</span> <bdi>{ticket.subject}</bdi>
    </Link>
  )
}

function Due({ at }: { at: string | null }) {
  return at ? <Time at={at} /> : <span className="muted">–</span>
}
