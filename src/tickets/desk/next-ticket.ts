import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { UnknownDepartment } from '../../people/departments/departments.ts'
import { lockedWithMerged } from '../ticket/locked-ticket.ts'
import { changedTicket, type QueueTicket } from '../ticket/queue-ticket.ts'
import { isSnoozed } from '../ticket/snooze-of.ts'
import { deskVisibility, preparedForVisible, type TicketVisibility, type VisibleTickets } from '../ticket/visibility.ts'
import { assignLocked } from './assign-ticket.ts'

/**
 * Assigns to the actor the unassigned ticket that has waited longest for staff, in their departments or only in that deptid, whether or not
 * they see such tickets in the queue. Undefined if none waits. Two concurrent callers get different tickets. Throws `UnknownDepartment`,
 * also for one that the actor does not see.
 */
export async function takeNextTicket(
  services: ActServices,
  actor: StaffActor,
  caller: Origin,
  deptid: number | undefined
): Promise<QueueTicket | undefined> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const departments = deptid === undefined ? actor.departments : [await departmentOf(db, actor, deptid)]
    const id = await longestWaiting(db, { ...deskVisibility(actor), column: undefined, departments })
    if (id === undefined) return undefined

    const [ticket] = await lockedWithMerged(db, [id])
    const event = await assignLocked(act, ticket!, actor.id)
    act.happened({ ...event, ticket: id })
    return await changedTicket(db, id)
  })
}

async function departmentOf(db: Db, actor: StaffActor, deptid: number): Promise<number> {
  const [department] = await byDeptid(db, { deptid })
  if (!department || !(actor.departments?.includes(department.id) ?? true)) {
    throw UnknownDepartment({ errors: ['department_id'] })
  }
  return department.id
}

const byDeptid = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).select('id')
)

/**
 * The ticket that has waited longest, locked until the transaction ends. Tickets locked by others are skipped; if there is no other, we
 * wait, since the lock may be for something else than taking the ticket.
 */
async function longestWaiting(db: Db, visibility: TicketVisibility): Promise<number | undefined> {
  for (const ask of [firstFree, first, firstFree]) {
    const [found] = await ask(db, visibility, {})
    if (found) return found.id
  }
  return undefined
}

const firstFree = preparedForVisible(tickets => waiting(tickets).forNoKeyUpdate().skipLocked())

const first = preparedForVisible(tickets => waiting(tickets).forNoKeyUpdate())

function waiting(tickets: VisibleTickets) {
  return tickets
    .where('tickets.assigned_staff_id', 'is', null)
    .where('tickets.merged_into_id', 'is', null)
    .where(sql<boolean>`tickets.status in ('Open', 'In Progress', 'Customer-Reply')`)
    .where(sql<boolean>`not ${isSnoozed}`)
    .select('tickets.id')
    .orderBy(sql`coalesce(tickets.waiting_since, tickets.created_at)`)
    .orderBy('tickets.id')
    .limit(sql.lit(1))
}
