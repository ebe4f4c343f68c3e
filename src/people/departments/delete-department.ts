import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import type { ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { requireUnused } from '../../core/definitions/uses.ts'
import type { Services } from '../../core/services.ts'
import type { DepartmentRow } from '../../core/tables/departments.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { requireAnotherActive, requireNoMove, withDepartmentsLocked } from './department-lock.ts'
import { departmentFor, managedDepartment } from './managed-department.ts'
import { batchSize, beginMove, removeDepartment } from './move-department.ts'
import { moveMembers, moveTickets, moveUnconfirmed, ticketsOfDepartment } from './move-tickets.ts'

export const DepartmentHasTickets = failure(
  409,
  'department_has_tickets',
  'This department has tickets: set move_to_department_id to move them'
)
export const DepartmentHasMembers = failure(
  409,
  'department_has_members',
  'Supporters who belong only to this department would see all: set move_to_department_id, or change its members'
)
export const UnknownDestination = failure(
  400,
  'unknown_destination',
  'There is no such active department to move the tickets to'
)

interface Deletion {
  deptid: number
  /** The deptid to which its tickets move. */
  moveTo?: number
  expectedVersion?: number
}

/**
 * Permanently deletes a department. With `moveTo` its tickets go there, each with an event on its timeline, and its members too, so that
 * nobody sees less of their work or more than they should; a ticket's time of last activity stays. Tickets that wait for confirmation move
 * as well. If there are more tickets than a request may move, the department is deactivated, jobs move them, and the last one deletes it.
 * Returns how many tickets have moved and how many are left. Throws `DepartmentNotFound`, `LastActiveDepartment`, `UnknownDestination`,
 * `DepartmentHasTickets`, `DepartmentHasMembers`, `DepartmentIsMoving`, `VersionConflict`, `InUse`.
 */
export async function deleteDepartment(
  services: ActServices & Pick<Services, 'jobs'>,
  actor: StaffActor,
  caller: Caller,
  { deptid, moveTo, expectedVersion }: Deletion
): Promise<{ moved: number; left: number }> {
  return await withDepartmentsLocked(services, { actor, caller }, async act => {
    const { db } = act
    const former = await departmentFor(db, actor, deptid)
    requireVersion(former.version, expectedVersion)
    await requireNoMove(db, former.id)
    if (former.is_active) await requireAnotherActive(db, former.id)
    // Waits for transactions that open or move tickets here; later ones wait for us, and then find it gone.
    await locked(db, { id: former.id })
    await requireUnused(db, actor, { kind: 'department', id: deptid })

    const subject = { type: 'department', id: deptid } as const
    const before = { name: former.name, is_active: former.is_active }
    if (moveTo === undefined) {
      await requireEmpty(db, actor, former, act.now)
      await removeDepartment(db, { id: former.id })
      act.happened({ kind: 'department.deleted', subject, before })
      return { moved: 0, left: 0 }
    }

    const move = { from: former, to: await destinationOf(db, actor, former, moveTo), auditActor: act.by, now: act.now }
    const tickets = await ticketsOfDepartment(db, { department: former.id, after: 0, limit: batchSize + 1 })
    if (tickets.length > batchSize) {
      await beginMove(services, db, move, former.is_active)
      const [{ left }] = (await ticketsIn(db, { id: former.id })) as [{ left: number }]
      const after = { moving_to: move.to.deptid, tickets: left }
      act.happened({ kind: 'department.deletion_begun', subject, before, after })
      return { moved: 0, left }
    }
    const moved = await moveTickets(
      db,
      move,
      tickets.map(({ id }) => id)
    )
    await moveMembers(db, move)
    await moveUnconfirmed(db, move)
    await removeDepartment(db, { id: former.id })
    const after = { moved_to: move.to.deptid, tickets_moved: moved }
    act.happened({ kind: 'department.deleted', subject, before, after })
    return { moved, left: 0 }
  })
}

async function destinationOf(db: Db, actor: StaffActor, former: DepartmentRow, deptid: number) {
  const [destination] = await activeByDeptid(db, { deptid })
  const isSeen = destination && (actor.departments?.includes(destination.id) ?? true)
  if (!isSeen || destination.id === former.id) throw UnknownDestination({ errors: ['move_to_department_id'] })
  return destination
}

async function requireEmpty(db: Db, actor: StaffActor, former: DepartmentRow, now: Date): Promise<void> {
  const { ticket_count: kept, trashed_ticket_count: trashed } = await managedDepartment(db, actor, former.deptid)
  const [merged] = await mergedTickets(db, { id: former.id })
  const [waiting] = await waitingTickets(db, { id: former.id, now })
  if (kept + trashed + merged!.count + waiting!.count > 0) {
    const others =
      (merged!.count > 0 ? `, and ${merged!.count} merged into others` : '') +
      (waiting!.count > 0 ? `, and ${waiting!.count} that wait for confirmation by their client` : '')
    const message = `This department has ${kept} tickets, and ${trashed} in the trash${others}: name move_to_department_id, where they go`
    throw DepartmentHasTickets({ message, errors: ['move_to_department_id'] })
  }
  const [limited] = await limitedToItAlone(db, { id: former.id })
  if (limited) throw DepartmentHasMembers({ errors: ['move_to_department_id'] })
}

const locked = prepared((db, p: { id: number }) =>
  db.selectFrom('departments').where('id', '=', p.id).select('id').forUpdate()
)

const ticketsIn = prepared((db, p: { id: number }) =>
  db
    .selectFrom('tickets')
    .where('department_id', '=', p.id)
    .select(({ fn }) => fn.countAll<number>().as('left'))
)

const activeByDeptid = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).where('is_active', '=', true).select(['id', 'deptid'])
)

const mergedTickets = prepared((db, p: { id: number }) =>
  db
    .selectFrom('tickets')
    .where('department_id', '=', p.id)
    .where('merged_into_id', 'is not', null)
    .where('trashed_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
)

const waitingTickets = prepared((db, p: { id: number; now: Date }) =>
  db
    .selectFrom('unconfirmed_tickets')
    .where('department_id', '=', p.id)
    .where('expires_at', '>', p.now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
)

const limitedToItAlone = prepared((db, p: { id: number }) =>
  db
    .selectFrom('department_members')
    .groupBy('staff_id')
    .having(({ fn }) => fn('bool_and', [sql`department_id = ${p.id}`]), '=', true)
    .select('staff_id')
    .limit(sql.lit(1))
)
