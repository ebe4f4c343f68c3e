import type { Act, ActServices } from '../acts/act.ts'
import { type Db, prepared } from '../db.ts'
import { UnknownDepartment } from '../departments/departments.ts'
import type { TicketPriority } from '../tables/tickets.ts'
import { type Change, changeTicket } from '../tickets/change-ticket.ts'
import type { LockedTicket } from '../tickets/locked-ticket.ts'
import { handlerOf } from './assignees.ts'

/** What may be changed; what is left out stays. */
export interface TicketChanges {
  subject?: string
  priority?: TicketPriority
  /** The public deptid (decision 11). */
  department_id?: number
}

/**
 * Changes the subject, the priority or the department; it may go to a department that the actor does not see. Whoever had it and
 * does not see its new department has it no longer. Throws `UnknownDepartment`, and what `changeTicket` does.
 */
export async function updateTicket(services: ActServices, change: Change, changes: TicketChanges) {
  const before = (db: Db) => lockDepartmentOf(db, changes)
  const update = async (act: Act, ticket: LockedTicket) => {
    const moved = changes.department_id === undefined ? {} : await move(act.db, ticket, changes.department_id)
    return await updateLocked(act, ticket, { subject: changes.subject, priority: changes.priority, ...moved })
  }
  return await changeTicket(services, change, update, { before })
}

/** Locks the department that a ticket is to enter, before the ticket, as it is when a department is deleted. */
export async function lockDepartmentOf(db: Db, { department_id: deptid }: { department_id?: number }): Promise<void> {
  if (deptid !== undefined) await lockedDepartment(db, { deptid })
}

/** Gives a ticket that is locked what is wanted; answers the event, or undefined where it is so already. The department is meant by its own id. */
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
  // The history speaks of departments as everybody does: by their deptid.
  const [former, present] = [await deptidOf(db, ticket.department_id), await deptidOf(db, department_id)]
  const moving = {
    ...event,
    before: { ...before, department_id: former },
    after: { ...after, department_id: present }
  }
  return { ...moving, logged: withoutSubject(moving) }
}

/** The deptid of a department that is there. */
export async function deptidOf(db: Db, id: number): Promise<number> {
  const [department] = await departmentById(db, { id })
  return department!.deptid
}

/** That it was changed, not what the customer wrote: the audit log outlives customers who are erased. */
function withoutSubject({ before, after }: { before: object; after: object }) {
  if (!('subject' in after)) return { before, after }
  const { subject: _, ...others } = { subject: undefined, ...before }
  const { subject: __, ...changed } = after
  return { before: others, after: { ...changed, subject_changed: true } }
}

/** The department's own id, and nobody as assignee if that one does not see it. Where the ticket already is, all stays. */
async function move(db: Db, ticket: LockedTicket, deptid: number) {
  const { department_id: here, assigned_staff_id: assignee } = ticket
  const [department] = await departmentToEnter(db, { deptid, here })
  if (!department) throw UnknownDepartment({ errors: ['department_id'] })
  const { id: department_id } = department
  if (department_id === here) return {}
  if (assignee === null || (await handlerOf(db, assignee, department_id))) return { department_id }
  return { department_id, assigned_staff_id: null }
}

/** Held, so that it does not go out of use meanwhile. */
const lockedDepartment = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).select('id').forShare()
)

/** One in use, or the one where the ticket is; `lockedDepartment`. */
export const departmentToEnter = prepared((db, p: { deptid: number; here: number }) =>
  db
    .selectFrom('departments')
    .where('deptid', '=', p.deptid)
    .where(({ or, eb }) => or([eb('is_active', '=', true), eb('id', '=', p.here)]))
    .select('id')
)

const departmentById = prepared((db, p: { id: number }) =>
  db.selectFrom('departments').where('id', '=', p.id).select('deptid')
)

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
