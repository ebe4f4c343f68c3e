import type { ReactElement, ReactNode } from 'react'
import { can, useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Tag } from '../../ui/badge.tsx'
import type { TriggerProps } from '../../ui/popover.ts'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import styles from './properties.module.css'
import { AssigneePicker, DepartmentPicker, PriorityPicker, StatusPicker, TagPicker } from './property-pickers.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import type { TicketChange } from './use-ticket-change.ts'

export interface PropertiesProps {
  detail: Detail
  change(change: TicketChange): Promise<unknown>
}

/** The properties of a ticket. Each value opens its picker, or is plain text if this person may not change it. */
export function Properties({ detail, change }: PropertiesProps) {
  const { ticket } = detail
  const rights = useRights(ticket)
  const row = { detail, change }
  return (
    <dl className={styles.properties}>
      <Property label={t('thread.status')}>
        <Value
          property="status"
          label={t('thread.status')}
          mayChange={rights.mayEdit}
          show={trigger => <StatusPicker {...row} trigger={trigger} />}
        >
          <StatusIcon status={ticket.status} aria-hidden />
          {statusLabel(ticket.status)}
        </Value>
      </Property>
      <Property label={t('thread.priority')}>
        <Value
          property="priority"
          label={t('thread.priority')}
          mayChange={rights.mayEdit}
          show={trigger => <PriorityPicker {...row} trigger={trigger} />}
        >
          <PriorityIcon priority={ticket.priority} aria-hidden />
          {priorityLabel(ticket.priority)}
        </Value>
      </Property>
      <Property label={t('thread.assignee')}>
        <Value
          property="assignee"
          label={t('thread.assignee')}
          mayChange={rights.mayAssign}
          show={trigger => <AssigneePicker {...row} trigger={trigger} />}
        >
          <AssigneeValue ticket={ticket} />
        </Value>
      </Property>
      <Property label={t('thread.department')}>
        <Value
          property="department"
          label={t('thread.department')}
          mayChange={rights.mayEdit}
          show={trigger => <DepartmentPicker {...row} trigger={trigger} />}
        >
          <span className={styles.cut}>{ticket.department.name}</span>
        </Value>
      </Property>
      <Property label={t('thread.tags')}>
        <Value
          property="tags"
          label={t('thread.tags')}
          mayChange={rights.mayTag}
          show={trigger => <TagPicker {...row} trigger={trigger} />}
        >
          {ticket.tags.length === 0 ? (
            <span className={styles.none}>{rights.mayTag ? t('thread.addTags') : t('thread.noTags')}</span>
          ) : (
            <span className={styles.tags}>
              {ticket.tags.map(tag => (
                <Tag key={tag.id} name={tag.name} color={tag.color} />
              ))}
            </span>
          )}
        </Value>
      </Property>
    </dl>
  )
}

/** The properties that this person may change. */
export function useRights(ticket: Ticket) {
  const me = useMe()
  const isHere = ticket.trashed_at === null && ticket.merged_into_id === null
  const mayEdit = isHere && can('tickets.edit_status')
  const mayReply = isHere && can('tickets.reply')
  // Without the permission to edit, staff may take unassigned tickets and give back their own.
  const isFreeOrOwn = ticket.assignee === null || ticket.assignee.id === me.id
  const maySnooze = (mayEdit || mayReply) && ticket.status !== 'Closed'
  return { mayEdit, mayReply, mayTag: mayReply, maySnooze, mayAssign: mayEdit || (mayReply && isFreeOrOwn) }
}

export function AssigneeValue({ ticket }: { ticket: Ticket }) {
  const { assignee } = ticket
  return (
    <>
      <Avatar person={assignee ? { id: assignee.id, name: nameOf(assignee), kind: 'staff' } : undefined} size={18} />
      <bdi className={styles.cut}>{assignee ? nameOf(assignee) : t('thread.nobody')}</bdi>
    </>
  )
}

function Property({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.property}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface ValueProps {
  property: string
  label: string
  mayChange: boolean
  show(trigger: (props: TriggerProps) => ReactElement): ReactElement
  children: ReactNode
}

function Value({ property, label, mayChange, show, children }: ValueProps) {
  if (!mayChange) return <span className={styles.text}>{children}</span>
  return show(props => (
    <button {...props} type="button" className={styles.value} data-property={property}>
      <span className="visually-hidden">{label}: </span>
      {children}
    </button>
  ))
}
