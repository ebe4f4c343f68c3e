import type { ReactElement, ReactNode } from 'react'
import { can, useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { listText } from '../../lib/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Tag } from '../../ui/badge.tsx'
import type { TriggerProps } from '../../ui/popover.ts'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import type { ChosenMacro } from './chosen-macro.ts'
import styles from './properties.module.css'
import { AssigneePicker, DepartmentPicker, PriorityPicker, StatusPicker, TagPicker } from './property-pickers.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import { useTicketAfter } from './ticket-after-macro.ts'
import type { TicketChange } from './use-ticket-change.ts'

export interface PropertiesProps {
  detail: Detail
  change(change: TicketChange): Promise<unknown>
  /** What is going to be changed with the reply. */
  macro: ChosenMacro | undefined
}

/**
 * The properties of a ticket. Each value opens its picker, or is plain text if this person may not change it. What the chosen macro is going to
 * change is marked, with its former value.
 */
export function Properties({ detail, change, macro }: PropertiesProps) {
  const { ticket } = detail
  const after = useTicketAfter(detail, macro)
  const rights = useRights(ticket)
  const row = { detail, change }
  const was = formerValues(ticket, after)
  return (
    <>
      <dl className={styles.properties}>
        <Property label={t('thread.status')}>
          <Value
            property="status"
            label={t('thread.status')}
            mayChange={rights.mayEdit}
            was={was.status}
            show={trigger => <StatusPicker {...row} trigger={trigger} />}
          >
            <StatusIcon status={after.status} aria-hidden />
            {statusLabel(after.status)}
          </Value>
        </Property>
        <Property label={t('thread.priority')}>
          <Value
            property="priority"
            label={t('thread.priority')}
            mayChange={rights.mayEdit}
            was={was.priority}
            show={trigger => <PriorityPicker {...row} trigger={trigger} />}
          >
            <PriorityIcon priority={after.priority} aria-hidden />
            {priorityLabel(after.priority)}
          </Value>
        </Property>
        <Property label={t('thread.assignee')}>
          <Value
            property="assignee"
            label={t('thread.assignee')}
            mayChange={rights.mayAssign}
            was={was.assignee}
            show={trigger => <AssigneePicker {...row} trigger={trigger} />}
          >
            <AssigneeValue ticket={after} />
          </Value>
        </Property>
        <Property label={t('thread.department')}>
          <Value
            property="department"
            label={t('thread.department')}
            mayChange={rights.mayEdit}
            was={was.department}
            show={trigger => <DepartmentPicker {...row} trigger={trigger} />}
          >
            <span className={styles.cut}>{after.department.name}</span>
          </Value>
        </Property>
        <Property label={t('thread.tags')}>
          <Value
            property="tags"
            label={t('thread.tags')}
            mayChange={rights.mayTag}
            was={was.tags}
            show={trigger => <TagPicker {...row} trigger={trigger} />}
          >
            <TagsValue ticket={ticket} after={after} mayTag={rights.mayTag} />
          </Value>
        </Property>
      </dl>
      {macro && after !== ticket && <p className={styles.marks}>{t('thread.macroMarked')}</p>}
    </>
  )
}

function TagsValue({ ticket, after, mayTag }: { ticket: Ticket; after: Ticket; mayTag: boolean }) {
  if (after.tags.length === 0) {
    return <span className={styles.none}>{mayTag ? t('thread.addTags') : t('thread.noTags')}</span>
  }
  const isNew = (name: string) => !ticket.tags.some(tag => tag.name === name)
  return (
    <span className={styles.tags}>
      {after.tags.map(({ name, color }) => (
        <span key={name} className={isNew(name) ? styles.newTag : styles.tag}>
          <Tag name={name} color={color} />
          {isNew(name) && <span className="visually-hidden"> ({t('thread.macroTagNew')})</span>}
        </span>
      ))}
    </span>
  )
}

/** In words, what each property is now that the macro is going to change. */
function formerValues(ticket: Ticket, after: Ticket) {
  const was = (isOther: boolean, value: string) => (isOther ? t('thread.macroWas', { value }) : undefined)
  const { assignee } = ticket
  const gone = ticket.tags.filter(({ name }) => !after.tags.some(tag => tag.name === name))
  return {
    status: was(after.status !== ticket.status, statusLabel(ticket.status)),
    priority: was(after.priority !== ticket.priority, priorityLabel(ticket.priority)),
    assignee: was(after.assignee?.id !== assignee?.id, assignee ? nameOf(assignee) : t('thread.nobody')),
    department: was(after.department.deptid !== ticket.department.deptid, ticket.department.name),
    tags: gone.length > 0 ? t('thread.macroTagsLess', { tags: listText(gone.map(({ name }) => name)) }) : undefined
  }
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
  /** What it is now, of what is going to be changed: "was Jonas Petersen". */
  was: string | undefined
  show(trigger: (props: TriggerProps) => ReactElement): ReactElement
  children: ReactNode
}

function Value({ property, label, mayChange, was, show, children }: ValueProps) {
  const mark = was === undefined ? undefined : ''
  const former = was !== undefined && <bdi className={styles.was}>{was}</bdi>
  if (!mayChange) {
    return (
      <span className={styles.text} data-marked={mark}>
        {children}
        {former}
      </span>
    )
  }
  return show(props => (
    <button {...props} type="button" className={styles.value} data-property={property} data-marked={mark}>
      <span className="visually-hidden">{label}: </span>
      {children}
      {former}
    </button>
  ))
}
