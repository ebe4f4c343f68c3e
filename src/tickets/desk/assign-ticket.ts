import { Type } from 'typebox'
import { type DeskActor, hasPermission } from '../../core/actor.ts'
import type { Act, ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import { endSnooze } from '../snooze/end-snooze.ts'
import { requireAssignable } from '../ticket/assignees.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'
import { StaffPerson } from '../ticket/desk-schemas.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import { deskVisibility, type TicketVisibility } from '../ticket/visibility.ts'

export const AlreadyAssigned = failure(
  409,
  'already_assigned',
  'This ticket is already assigned to somebody else',
  Type.Object({ assignee: StaffPerson })
)

export interface Assignment {
  /** Null: unassign. */
  staffId: number | null
  /** Reassigns a ticket that somebody else has. */
  force: boolean
}

/**
 * Assigns a ticket; the first assignment moves it from Open to In Progress. With `tickets.reply` only, the actor may take an unassigned
 * ticket, even one outside their queue, and give back their own; all else needs `tickets.edit_status` (`Forbidden`). Of two who take a
 * ticket at once, the second gets `AlreadyAssigned` or, if they do not see tickets of others, a 404. To reassign a ticket the actor has to
 * see it and pass `force` or its version. Throws `UnknownAssignee`, and what `changeTicket` does.
 */
export async function assignTicket(services: ActServices, change: Change, { staffId, force }: Assignment) {
  const { actor, expectedVersion } = change
  requireMayAssign(actor, staffId)
  const assign = (act: Act, ticket: LockedTicket) =>
    changeAssigneeLocked(act, actor, ticket, { staffId, force: force || expectedVersion !== undefined })
  const isTaking = staffId !== null && staffId === actor.id
  const free: Pick<TicketVisibility, 'free'> = isTaking && hasPermission(actor, 'tickets.reply') ? { free: true } : {}
  return await changeTicket(services, change, assign, { visibility: { ...deskVisibility(actor), ...free } })
}

/** Throws `Forbidden` for an actor who may not assign any ticket to them. */
function requireMayAssign(actor: DeskActor, staffId: number | null): void {
  if (hasPermission(actor, 'tickets.edit_status')) return
  if (!hasPermission(actor, 'tickets.reply') || (staffId !== null && staffId !== actor.id)) throw Forbidden()
}

/** The same for a locked ticket: returns the event, or undefined if they have it already. `force`: the actor knows who has it now. */
export async function changeAssigneeLocked(
  act: Act,
  actor: DeskActor,
  ticket: LockedTicket,
  { staffId, force }: Assignment
) {
  const { db } = act
  requireMayAssign(actor, staffId)
  const isTaking = staffId !== null && staffId === actor.id
  const mayAssign = hasPermission(actor, 'tickets.edit_status')
  if (ticket.assigned_staff_id === staffId) return undefined
  if (isTaking && !(mayAssign && force)) await refuseTaken(db, ticket)
  if (!mayAssign && !isTaking && ticket.assigned_staff_id !== actor.id) throw Forbidden()
  if (staffId !== null) await requireAssignable(db, staffId, ticket.department_id)
  return await assignLocked(act, ticket, staffId)
}

/** Assigns a locked ticket and returns the event. The first assignment moves it from Open to In Progress; an assignment to somebody wakes it. */
export async function assignLocked(
  act: Act,
  ticket: Pick<LockedTicket, 'id' | 'status' | 'assigned_staff_id'>,
  staffId: number | null
) {
  const { db, now } = act
  if (staffId !== null) await endSnooze(act, ticket.id, 'assignment')
  const isFirst = ticket.assigned_staff_id === null && ticket.status === 'Open'
  const status: TicketStatus = isFirst ? 'In Progress' : ticket.status
  await setAssignee(db, { id: ticket.id, staffId, status, now })
  return {
    kind: 'ticket.assigned' as const,
    before: { assigned_staff_id: ticket.assigned_staff_id, ...(isFirst ? { status: ticket.status } : {}) },
    after: { assigned_staff_id: staffId, ...(isFirst ? { status } : {}) }
  }
}

async function refuseTaken(db: Db, ticket: LockedTicket): Promise<void> {
  if (ticket.assigned_staff_id === null) return
  const [assignee] = await memberById(db, { id: ticket.assigned_staff_id })
  throw AlreadyAssigned({
    message: `${assignee!.first_name} ${assignee!.last_name} has this ticket already`,
    errors: ['assigned_staff_id'],
    data: { assignee }
  })
}

const memberById = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('id', '=', p.id).select(['id', 'first_name', 'last_name'])
)

export const setAssignee = prepared((db, p: { id: number; staffId: number | null; status: TicketStatus; now: Date }) =>
  db
    .updateTable('tickets')
    .where('id', '=', p.id)
    .set({ assigned_staff_id: p.staffId, status: p.status, updated_at: p.now })
)
