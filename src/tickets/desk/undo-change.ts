import { sql } from 'kysely'
import type { Static } from 'typebox'
import { hasPermission, type StaffActor, system } from '../../core/actor.ts'
import type { Act, ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { EventOf } from '../../core/events/catalogue.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { type Change, changeTicket, type TicketEvent } from '../ticket/change-ticket.ts'
import type { QueueTicket } from '../ticket/desk-schemas.ts'
import { type LockedTicket, visibleTicketNow } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { setAssignee } from './assign-ticket.ts'
import { assignableStaff } from './assignees.ts'
import { setStatusLocked } from './set-status.ts'
import { tagsNamed } from './tag-refs.ts'
import { namesOf, tagLocked, tagsOf } from './tag-ticket.ts'
import { deptidOf, destinationDepartment, lockDepartmentOf, updateLocked } from './update-ticket.ts'

export const NothingToUndo = failure(
  409,
  'nothing_to_undo',
  'There is nothing to undo: you can undo only your own last change of a ticket, within 30 seconds'
)
export const ChangedSince = failure(409, 'changed_since', 'The ticket has been changed since')
export const UndoImpossible = failure(409, 'undo_impossible', 'This change can no longer be undone')

/** How long a change can be undone. */
const undoSeconds = 30

/**
 * Undoes the last change of a ticket, if the actor made it within the last 30 seconds and nothing was changed since: its status, priority,
 * subject, department, assignee or tags. A status set by a reply is part of the reply and stays. It needs the same permission as the change
 * itself (`Forbidden`), and is a change like any other, recorded with `by: 'undo'`, which cannot be undone. A change that moved the ticket
 * out of the actor's visibility can be undone too. Throws `NothingToUndo`, `ChangedSince`, `UndoImpossible` if a former assignee, department or
 * tag is no longer available, and what `changeTicket` does.
 */
export async function undoChange(
  services: ActServices,
  change: Change<StaffActor>
): Promise<Static<typeof QueueTicket>> {
  const { actor, ref } = change
  const since = secondsAfter(services.clock.now(), -undoSeconds)
  const { visibility, isSeen, deptid } = await whereToUndo(services.db, actor, ref, since)

  const undo = async (act: Act, ticket: LockedTicket) => {
    const { db } = act
    const last = await lastChangeOf(db, { id: ticket.id, staff: actor.id, since })
    if (!last || last.after.by === 'undo') throw NothingToUndo()
    if (last.is_over || !(await isAsItWasLeft(db, ticket, last))) throw ChangedSince()
    const event = await undone(act, actor, ticket, last)
    // If the change moved the ticket out of the actor's visibility, the undo has to bring it back; otherwise it is no longer theirs.
    if (!isSeen && !(await visibleTicketNow(db, deskVisibility(actor), ticket.id, {}))) throw TicketNotFound()
    return event
  }
  const before = (db: Db) => lockDepartmentOf(db, { department_id: deptid })
  return await changeTicket(services, change, undo, { visibility, before })
}

/** A change as its event recorded it; `is_over`: something has changed the ticket since. */
type LastChange = EventOf<(typeof undoable)[number]> & { id: number; is_over: boolean }

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
  const last = there && (await lastChangeOf(db, { id: there.id, staff: actor.id, since }))
  if (!seen && !last) throw TicketNotFound()
  return {
    visibility: seen ? own : any,
    isSeen: seen !== undefined,
    deptid: last?.kind === 'ticket.updated' ? last.before.department_id : undefined
  }
}

/** Whether all that the change set is still so: bulk changes of many tickets may not be on the timeline of each. */
async function isAsItWasLeft(db: Db, ticket: LockedTicket, { after }: LastChange): Promise<boolean> {
  const { by: _, department_id: deptid, tags, ...columns }: Changed = after
  if (Object.entries(columns).some(([name, value]) => ticket[name as keyof LockedTicket] !== value)) return false
  if (deptid !== undefined && (await deptidOf(db, ticket.department_id)) !== deptid) return false
  return !tags || isSame(namesOf(await tagsOf(db, { id: ticket.id })), tags)
}

/** Restores the former values and returns the event. */
async function undone(act: Act, actor: StaffActor, ticket: LockedTicket, last: LastChange): Promise<TicketEvent> {
  const { db } = act
  const mayEdit = hasPermission(actor, 'tickets.edit_status')
  switch (last.kind) {
    case 'ticket.status_changed':
      if (!mayEdit) throw Forbidden()
      return byUndo(await setStatusLocked(act, ticket, last.before.status))
    case 'ticket.updated':
      if (!mayEdit) throw Forbidden()
      return byUndo(await updatedBack(act, ticket, last.before))
    case 'ticket.assigned':
      return byUndo(await assignedBack(act, actor, ticket, last.before))
    case 'ticket.tagged': {
      if (!mayEdit && !hasPermission(actor, 'tickets.reply')) throw Forbidden()
      const tags = await tagsNamed(db, last.before.tags)
      if (!isSame(namesOf(tags), last.before.tags)) throw UndoImpossible({ message: 'A tag that it had is gone' })
      return byUndo(await tagLocked(db, ticket.id, await tagsOf(db, { id: ticket.id }), tags))
    }
  }
}

/** The event, marked as one that undoes another; in the audit log too. */
function byUndo<E extends { after: object; logged?: { before: object; after: object } }>(event: E): E {
  const { after, logged } = event
  const marked = logged && { logged: { ...logged, after: { ...logged.after, by: 'undo' } } }
  return { ...event, after: { ...after, by: 'undo' }, ...marked }
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

/**
 * The last change of a ticket by this staff member since then. Notes, watchers, followers and deliveries of e-mails do not count as
 * changes.
 */
async function lastChangeOf(db: Db, p: { id: number; staff: number; since: Date }): Promise<LastChange | undefined> {
  const [last] = await lastEventOf(db, p)
  return last as LastChange | undefined
}

const lastEventOf = prepared((db, p: { id: number; staff: number; since: Date }) =>
  db
    .selectFrom('events as own')
    .where('own.ticket_id', '=', p.id)
    .where('own.actor_type', '=', sql.lit('staff'))
    .where('own.actor_id', '=', p.staff)
    .where('own.created_at', '>=', p.since)
    .where(
      'own.kind',
      'in',
      undoable.map(kind => sql.lit(kind))
    )
    .select(({ exists, selectFrom }) => [
      'own.id',
      sql<LastChange['kind']>`own.kind`.as('kind'),
      sql<LastChange['before']>`own.before`.as('before'),
      sql<LastChange['after']>`own.after`.as('after'),
      exists(
        selectFrom('events as later')
          .whereRef('later.ticket_id', '=', 'own.ticket_id')
          .whereRef('later.id', '>', 'own.id')
          .where(
            'later.kind',
            'not in',
            changeNothing.map(kind => sql.lit(kind))
          )
          .select('later.id')
      )
        .$castTo<boolean>()
        .as('is_over')
    ])
    .orderBy('own.id', 'desc')
    .limit(sql.lit(1))
)

const undoable = ['ticket.status_changed', 'ticket.updated', 'ticket.assigned', 'ticket.tagged'] as const
const changeNothing = [
  ...(['ticket.noted', 'ticket.watched', 'ticket.unwatched'] as const),
  ...(['ticket.follower_added', 'ticket.follower_removed', 'ticket.delivery_changed'] as const)
]
