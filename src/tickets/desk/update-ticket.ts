import type { Act, ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketPriority } from '../../core/tables/tickets.ts'
import { UnknownDepartment } from '../../people/departments/departments.ts'
import type { GivenValues } from '../fields/judge-values.ts'
import { setFields } from '../fields/set-fields.ts'
import { assignableStaff } from '../ticket/assignees.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import { deptidOf, destinationDepartment, lockDepartmentOf } from '../ticket/ticket-department.ts'

/** The fields that may be changed; missing ones stay. */
export interface TicketChanges {
  subject?: string
  priority?: TicketPriority
  /** The public deptid (decision 11). */
  department_id?: number
  /** Values of custom fields by key. */
  fields?: GivenValues
}

/**
 * Changes the subject, priority, department or custom fields, even to a department that the actor does not see. An assignee who does not see the new
 * department is unassigned. Throws `UnknownDepartment`, `InvalidFields`, and what `changeTicket` does.
 */
export async function updateTicket(services: ActServices, change: Change, changes: TicketChanges) {
  const before = (db: Db) => lockDepartmentOf(db, changes)
  const update = async (act: Act, ticket: LockedTicket) => {
    const event = await changeFieldsLocked(act, ticket, changes)
    if (changes.fields) await setFields(act, ticket.id, changes.fields)
    return event
  }
  return await changeTicket(services, change, update, { before })
}

/** The same for a locked ticket: returns the event, or undefined if nothing differs. Throws `UnknownDepartment`. */
export async function changeFieldsLocked(act: Act, ticket: LockedTicket, changes: Omit<TicketChanges, 'fields'>) {
  const { subject, priority, department_id } = changes
  const moved = department_id === undefined ? {} : await move(act.db, ticket, department_id)
  return await updateLocked(act, ticket, { subject, priority, ...moved })
}

/**
 * Applies the wanted values to a locked ticket; returns the event, or undefined if nothing differs. The department is given by its own id.
 */
export async function updateLocked(
  { db, now }: Act,
  ticket: LockedTicket,
  wanted: { [Name in 'subject' | 'priority' | 'department_id' | 'assigned_staff_id']?: LockedTicket[Name] | undefined }
) {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== ticket[name as keyof LockedTicket]
  )
  if (changed.length === 0) return undefined

  const { subject, priority, department_id, assigned_staff_id } = { ...ticket, ...Object.fromEntries(changed) }
  await rewrite(db, { id: ticket.id, subject, priority, department_id, assigned_staff_id, now })
  const before = Object.fromEntries(changed.map(([name]) => [name, ticket[name as keyof LockedTicket]]))
  const after = Object.fromEntries(changed)
  const event = { kind: 'ticket.updated' as const, before, after }
  if (!('department_id' in after)) return { ...event, logged: withoutSubject(event) }
  // Events name departments by their public deptid.
  const [former, present] = [await deptidOf(db, ticket.department_id), await deptidOf(db, department_id)]
  const moving = {
    ...event,
    before: { ...before, department_id: former },
    after: { ...after, department_id: present }
  }
  return { ...moving, logged: withoutSubject(moving) }
}

/** Records that the subject was changed, not the text: the audit log outlives erased clients. */
function withoutSubject({ before, after }: { before: object; after: object }) {
  if (!('subject' in after)) return { before, after }
  const { subject: _, ...others } = { subject: undefined, ...before }
  const { subject: __, ...changed } = after
  return { before: others, after: { ...changed, subject_changed: true } }
}

/** The department's own id, and no assignee if the present one does not see it. Without a change of department, nothing. */
async function move(db: Db, ticket: LockedTicket, deptid: number) {
  const { department_id: here, assigned_staff_id: assignee } = ticket
  const [department] = await destinationDepartment(db, { deptid, here })
  if (!department) throw UnknownDepartment({ errors: ['department_id'] })
  const { id: department_id } = department
  if (department_id === here) return {}
  if (assignee === null || (await assignableStaff(db, assignee, department_id))) return { department_id }
  return { department_id, assigned_staff_id: null }
}

const rewrite = prepared(
  (db, p: Pick<LockedTicket, 'id' | 'subject' | 'priority' | 'department_id' | 'assigned_staff_id'> & { now: Date }) =>
    db.updateTable('tickets').where('id', '=', p.id).set({
      subject: p.subject,
      priority: p.priority,
      department_id: p.department_id,
      assigned_staff_id: p.assigned_staff_id,
      updated_at: p.now
    })
)
