import { t } from '../../lib/strings.ts'
import type { TriggerProps } from '../../ui/popover.ts'
import { PriorityIcon, priorityLabel, StatusIcon, statusLabel } from '../../ui/status-icon.tsx'
import { DueChip } from '../due/due-chip.tsx'
import { AssigneeValue, type PropertiesProps, useRights } from './properties.tsx'
import styles from './property-chips.module.css'
import { AssigneePicker, PriorityPicker, StatusPicker } from './property-pickers.tsx'

/** The properties that are changed most, under the subject on phones, where the details are hidden. */
export function PropertyChips({ detail, change }: PropertiesProps) {
  const { ticket } = detail
  const { mayEdit, mayAssign } = useRights(ticket)
  const status = (
    <>
      <StatusIcon status={ticket.status} aria-hidden />
      {statusLabel(ticket.status)}
    </>
  )
  const priority = (
    <>
      <PriorityIcon priority={ticket.priority} aria-hidden />
      {priorityLabel(ticket.priority)}
    </>
  )
  const assignee = <AssigneeValue ticket={ticket} />
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

function chip(property: string, label: string, props: TriggerProps, children: React.ReactNode) {
  return (
    <button {...props} type="button" className="chip" data-property={property}>
      <span className="visually-hidden">{label}: </span>
      {children}
    </button>
  )
}
