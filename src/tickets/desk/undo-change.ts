import { isDeepStrictEqual } from 'node:util'
import { hasPermission, type StaffActor, system } from '../../core/actor.ts'
import type { Act, ActServices } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import type { EventOf } from '../../core/events/catalogue.ts'
import type { Services } from '../../core/services.ts'
import { Forbidden } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { allFields, valuesOf } from '../fields/fields.ts'
import { setFields } from '../fields/set-fields.ts'
import { unsplitLocked } from '../links/unsplit-ticket.ts'
import { endSnooze, type SnoozeFacts } from '../snooze/end-snooze.ts'
import { snoozeFactsOf, snoozeLocked } from '../snooze/snooze-ticket.ts'
import { assignableStaff } from '../ticket/assignees.ts'
import { type Change, changeTicket, type TicketEvent } from '../ticket/change-ticket.ts'
import { type LockedTicket, lockedById, visibleTicketNow } from '../ticket/locked-ticket.ts'
import type { QueueTicket } from '../ticket/queue-ticket.ts'
import { raiseVersion } from '../ticket/raise-version.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { deptidOf, destinationDepartment, lockDepartmentOf } from '../ticket/ticket-department.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { setAssignee } from './assign-ticket.ts'
import { type LastChange, lastChangesOf } from './last-change.ts'
import { setStatusLocked } from './set-status.ts'
import { tagsNamed } from './tag-refs.ts'
import { namesOf, tagLocked, tagsOf } from './tag-ticket.ts'
import { linkedByUndo, unlinkedByUndo } from './undo-link.ts'
import { ChangedSince, NothingToUndo, UndoImpossible } from './undo-refusals.ts'
import { updateLocked } from './update-ticket.ts'

/** How long a change can be undone. */
const undoSeconds = 30

/**
 * Undoes the last change of a ticket, or all that a macro did at once, if the actor made it within the last 30 seconds and nothing was changed since: its status, priority,
 * subject, department, custom fields, assignee, tags, snooze, a link, or what was split off, with the snooze that the change has ended. A status set by a reply is part of the reply and stays. It needs the same permission as the change
 * itself (`Forbidden`), and is a change like any other, recorded with `by: 'undo'`, which cannot be undone. A change that moved the ticket
 * out of the actor's visibility can be undone too. Throws `NothingToUndo`, `ChangedSince`, `UndoImpossible` if a former assignee, department or
 * tag is no longer available, and what `changeTicket` does.
 */
export async function undoChange(
  services: ActServices & Pick<Services, 'events'>,
  change: Change<StaffActor>
): Promise<QueueTicket> {
  const { actor, ref } = change
  const since = secondsAfter(services.clock.now(), -undoSeconds)
  const { visibility, isSeen, deptid } = await whereToUndo(services.db, actor, ref, since)

  const undo = async (act: Act, ticket: LockedTicket) => {
    const { db } = act
    const changes = await lastChangesOf(db, { id: ticket.id, staff: actor.id, since })
    const [last] = changes
    const isUndo = last && 'by' in last.after && last.after.by === 'undo'
    const hasChanged = last && (last.is_over || !(await isAsItWasLeft(db, ticket, last)))
    // Only the actor's own change may have moved it out of sight; after anybody else's it does not exist for them.
    if (!isSeen && (!last || hasChanged || isUndo)) throw TicketNotFound()
    if (!last || isUndo) throw NothingToUndo()
    if (hasChanged) throw ChangedSince()
    const event = await undone(services, act, actor, ticket, last)
    const earlier = await undoneBefore(services, act, actor, ticket.id, event, changes.slice(1))
    if (last.ended) await snoozeAgain(act, ticket, last, last.ended)
    // If the change moved the ticket out of the actor's visibility, the undo has to bring it back; otherwise it is no longer theirs.
    if (!isSeen && !(await visibleTicketNow(db, deskVisibility(actor), ticket.id, {}))) throw TicketNotFound()
    return earlier
  }
  const before = (db: Db) => lockDepartmentOf(db, { department_id: deptid })
  return await changeTicket(services, change, undo, { visibility, before })
}

/** What such a change may have set. */
type Changed = Partial<
  EventOf<'ticket.status_changed'>['after'] &
    EventOf<'ticket.updated'>['after'] &
    EventOf<'ticket.assigned'>['after'] &
    EventOf<'ticket.tagged'>['after']
>

/**
 * The visibility for the look-up: the actor's own or, if their own change has just moved the ticket out of that, any; and the department to
 * which the ticket would return. Throws `TicketNotFound`.
 */
async function whereToUndo(db: Db, actor: StaffActor, ref: TicketRef, since: Date) {
  const [own, any] = [deskVisibility(actor), deskVisibility(system)]
  const [seen, there] = [await visibleTicketNow(db, own, ref, {}), await visibleTicketNow(db, any, ref, {})]
  const changes = there ? await lastChangesOf(db, { id: there.id, staff: actor.id, since }) : []
  if (!seen && changes.length === 0) throw TicketNotFound()
  const moved = changes.flatMap(change => (change.kind === 'ticket.updated' ? (change.before.department_id ?? []) : []))
  return {
    visibility: seen ? own : any,
    isSeen: seen !== undefined,
    deptid: moved[0]
  }
}

/** Whether all that the change set is still so: bulk changes of many tickets may not be on the timeline of each. */
async function isAsItWasLeft(db: Db, ticket: LockedTicket, { kind, after }: LastChange): Promise<boolean> {
  // What undoes these looks for itself.
  if (kind === 'ticket.linked' || kind === 'ticket.unlinked' || kind === 'ticket.split') return true
  if (kind === 'ticket.field_changed') return await isFieldAsLeft(db, ticket.id, after)
  if (kind === 'ticket.snoozed') return isDeepStrictEqual(await snoozeFactsOf(db, ticket.id), after)
  if (kind === 'ticket.woken') return ticket.status !== 'Closed' && (await snoozeFactsOf(db, ticket.id)) === null
  const { by: _, undo_of: __, department_id: deptid, tags, ...columns }: Changed = after
  if (Object.entries(columns).some(([name, value]) => ticket[name as keyof LockedTicket] !== value)) return false
  if (deptid !== undefined && (await deptidOf(db, ticket.department_id)) !== deptid) return false
  return !tags || isSame(namesOf(await tagsOf(db, { id: ticket.id })), tags)
}

/** Undoes the earlier changes of a macro as well, each if it is so still; returns the event that is to be recorded last. */
async function undoneBefore(
  services: Pick<Services, 'events'>,
  act: Act,
  actor: StaffActor,
  id: number,
  event: TicketEvent | undefined,
  changes: readonly LastChange[]
): Promise<TicketEvent | undefined> {
  let newest = event
  for (const change of changes) {
    if (newest) act.happened({ ...newest, ticket: id })
    const ticket = await lockedById(act.db, id)
    if (!ticket || !(await isAsItWasLeft(act.db, ticket, change))) throw ChangedSince()
    newest = await undone(services, act, actor, ticket, change)
  }
  return newest
}

/** Restores the former values and returns the event. */
async function undone(
  services: Pick<Services, 'events'>,
  act: Act,
  actor: StaffActor,
  ticket: LockedTicket,
  last: LastChange
): Promise<TicketEvent | undefined> {
  const { db } = act
  const mayEdit = hasPermission(actor, 'tickets.edit_status')
  switch (last.kind) {
    case 'ticket.status_changed':
      if (!mayEdit) throw Forbidden()
      return byUndo(last, await setStatusLocked(act, ticket, last.before.status))
    case 'ticket.updated':
      if (!mayEdit) throw Forbidden()
      return byUndo(last, await updatedBack(act, ticket, last.before))
    case 'ticket.field_changed':
      if (!mayEdit) throw Forbidden()
      return await fieldBack(act, ticket, last)
    case 'ticket.assigned':
      return byUndo(last, await assignedBack(act, actor, ticket, last.before))
    case 'ticket.tagged': {
      if (!mayEdit && !hasPermission(actor, 'tickets.reply')) throw Forbidden({ lacks: ['tickets.reply'] })
      const tags = await tagsNamed(db, last.before.tags)
      if (!isSame(namesOf(tags), last.before.tags)) throw UndoImpossible({ message: 'A tag that it had is gone' })
      return byUndo(last, await tagLocked(db, ticket.id, await tagsOf(db, { id: ticket.id }), tags))
    }
    case 'ticket.linked':
      if (!mayEdit) throw Forbidden()
      await refuseUnseen(db, actor, last.after.other)
      return byUndo(last, await unlinkedByUndo(act, ticket, last.after))
    case 'ticket.unlinked':
      if (!mayEdit) throw Forbidden()
      await refuseUnseen(db, actor, last.before.other)
      return byUndo(last, await linkedByUndo(act, ticket, last.before))
    case 'ticket.split': {
      if (!mayEdit) throw Forbidden()
      const { split_into: target } = last.after
      if (!target) throw NothingToUndo({ message: 'Undo the split where it was made, or with "unsplit"' })
      await refuseUnseen(db, actor, target)
      return byUndo(last, await unsplitLocked(services, act, actor, ticket, target.id))
    }
    case 'ticket.snoozed':
    case 'ticket.woken':
      if (!mayEdit && !hasPermission(actor, 'tickets.reply')) throw Forbidden({ lacks: ['tickets.reply'] })
      if (last.before) return byUndo(last, await snoozeLocked(act, ticket, last.before))
      await endSnooze(act, ticket.id, 'staff', last.id)
      await raiseVersion(db, { id: ticket.id })
      return undefined
  }
}

/** The change concerns another ticket as well, which may have gone out of the actor's sight since. Throws `UndoImpossible`. */
async function refuseUnseen(db: Db, actor: StaffActor, other: { id: number } | null | undefined): Promise<void> {
  if (!other || (await visibleTicketNow(db, deskVisibility(actor), other.id, {}))) return
  throw UndoImpossible({ message: 'The other ticket is not in your sight any more' })
}

/** A snooze that the undone change has ended goes on, unless its time has come meanwhile. */
async function snoozeAgain(act: Act, ticket: LockedTicket, last: LastChange, ended: SnoozeFacts): Promise<void> {
  if (ended.until !== null && new Date(ended.until) <= act.now) return
  // A macro may have closed it with its reply, which stays.
  if ((await lockedById(act.db, ticket.id))?.status === 'Closed') return
  act.happened({ ...byUndo(last, await snoozeLocked(act, ticket, ended)), ticket: ticket.id })
}

/** The event, marked as one that undoes another, which it names; in the audit log too. */
function byUndo<E extends { after: object; logged?: { before?: object; after: object } }>(
  last: LastChange,
  event: E
): E {
  const { after, logged } = event
  const marked = logged && { logged: { ...logged, after: { ...logged.after, by: 'undo' } } }
  return { ...event, after: { ...after, by: 'undo', undo_of: last.id }, ...marked }
}

async function updatedBack(
  act: Act,
  ticket: LockedTicket,
  { department_id: deptid, ...columns }: EventOf<'ticket.updated'>['before']
) {
  const { db } = act
  const { subject, priority, assigned_staff_id = ticket.assigned_staff_id } = columns
  const here = ticket.department_id
  const [department] = deptid === undefined ? [{ id: here }] : await destinationDepartment(db, { deptid, here })
  if (!department) throw UndoImpossible({ message: 'The department where it was is gone or out of use' })
  await requireStillAssignable(db, assigned_staff_id, department.id)
  const event = await updateLocked(act, ticket, { subject, priority, department_id: department.id, assigned_staff_id })
  if (!event) throw ChangedSince()
  return event
}

/** A long text is in no event, so that it is not known what it was. */
async function isFieldAsLeft(db: Db, ticket: number, after: FieldFacts): Promise<boolean> {
  if (after.value === undefined) throw UndoImpossible({ message: 'What was in the field before is not kept' })
  return isDeepStrictEqual((await valuesOf(db, ticket))[`f${after.field_id}`] ?? null, after.value)
}

type FieldFacts = EventOf<'ticket.field_changed'>['before']

/** Gives a field the value that it had; its event is recorded with it. */
async function fieldBack(
  act: Act,
  ticket: LockedTicket,
  { id: undoOf, before: { field_id, value = null } }: Pick<LastChange, 'id'> & { before: FieldFacts }
): Promise<undefined> {
  const field = (await allFields(act.db)).find(({ id }) => id === field_id)
  if (!field || field.is_archived) throw UndoImpossible({ message: 'The field is archived or deleted' })
  await setFields(act, ticket.id, { [field.key]: value }, { undoOf })
}

/** The same rule as for an assignment: with `tickets.reply` only, the actor may take back or give up their own ticket. */
async function assignedBack(
  { db, now }: Act,
  actor: StaffActor,
  ticket: LockedTicket,
  before: EventOf<'ticket.assigned'>['before']
) {
  const { assigned_staff_id: staffId, status = ticket.status } = before
  const isOwn = staffId === actor.id ? ticket.assigned_staff_id === null : ticket.assigned_staff_id === actor.id
  const mayAsAgent = hasPermission(actor, 'tickets.reply') && isOwn && (staffId === null || staffId === actor.id)
  if (!hasPermission(actor, 'tickets.edit_status') && !mayAsAgent) throw Forbidden()
  await requireStillAssignable(db, staffId, ticket.department_id)
  await setAssignee(db, { id: ticket.id, staffId, status, now })
  const was = before.status === undefined ? {} : { status: ticket.status }
  const is = before.status === undefined ? {} : { status }
  return {
    kind: 'ticket.assigned' as const,
    before: { assigned_staff_id: ticket.assigned_staff_id, ...was },
    after: { assigned_staff_id: staffId, ...is }
  }
}

async function requireStillAssignable(db: Db, staffId: number | null, departmentId: number): Promise<void> {
  if (staffId === null || (await assignableStaff(db, staffId, departmentId))) return
  throw UndoImpossible({ message: 'Whoever had it cannot be assigned to it any more' })
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, at) => name === others[at])
}
