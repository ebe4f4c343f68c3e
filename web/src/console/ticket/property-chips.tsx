import type { ReactNode } from 'react'
import { t } from '../../lib/strings.ts'
import type { TriggerProps } from '../../ui/popover.ts'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import { DueChip } from '../due/due-chip.tsx'
import { AssigneeValue, type PropertiesProps, useRights } from './properties.tsx'
import styles from './property-chips.module.css'
import { AssigneePicker, PriorityPicker, StatusPicker } from './property-pickers.tsx'
import { useTicketAfter } from './ticket-after-macro.ts'

/** The properties that are changed most, under the subject on phones, where the details are hidden. */
export function PropertyChips({ detail, change, macro }: PropertiesProps) {
  const { ticket } = detail
  const after = useTicketAfter(detail, macro)
  const isOther = {
    status: after.status !== ticket.status,
    priority: after.priority !== ticket.priority,
    assignee: after.assignee?.id !== ticket.assignee?.id
  }
  const chip = (property: keyof typeof isOther, label: string, props: TriggerProps, children: ReactNode) => (
    <button {...props} type="button" className={isOther[property] ? 'chip on' : 'chip'} data-property={property}>
      <span className="visually-hidden">{label}: </span>
      {children}
    </button>
  )
  const { mayEdit, mayAssign } = useRights(ticket)
  const status = (
    <>
      <StatusIcon status={after.status} aria-hidden />
      {statusLabel(after.status)}
    </>
  )
  const priority = (
    <>
      <PriorityIcon priority={after.priority} aria-hidden />
      {priorityLabel(after.priority)}
    </>
  )
  const assignee = <AssigneeValue ticket={after} />
  const row = { detail, change }
  return (
    <div className={styles.chips}>
      {ticket.sla && <DueChip ticket={ticket.id} sla={ticket.sla} />}
      {mayEdit ? (
        <StatusPicker {...row} trigger={props => chip('status', t('thread.setStatus'), props, status)} />
      ) : (
        <span className="chip">{status}</span>
      )}
      {mayEdit ? (
        <PriorityPicker {...row} trigger={props => chip('priority', t('thread.setPriority'), props, priority)} />
      ) : (
        <span className="chip">{priority}</span>
      )}
      {mayAssign ? (
        <AssigneePicker {...row} trigger={props => chip('assignee', t('thread.assignTo'), props, assignee)} />
      ) : (
        <span className="chip">{assignee}</span>
      )}
    </div>
  )
}
