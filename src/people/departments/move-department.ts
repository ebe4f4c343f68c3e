import { system } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { AuditActor } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { withDepartmentsLocked } from './department-lock.ts'
import { type Move, moveMembers, moveTickets, moveUnconfirmed, ticketsOfDepartment } from './move-tickets.ts'

type Mover = ActServices & Pick<Services, 'jobs'>

/** Tickets moved in one transaction, whose locks others may have to wait for. */
export const batchSize = 500
/** Batches after which another job continues, so that none exceeds its time limit. */
const batchesOfJob = 40
/** If this many tickets fail in one job, the cause is not a single ticket. */
const maxFaults = 20
/** Longer than the delay before a job's next retry. */
const idleSeconds = 2 * 3_600

/**
 * Moves the tickets of a department that is being deleted, batch by batch, and deletes it once it has none. Committed batches stay: a retry
 * resumes from there. A ticket that cannot be moved stays behind alone, and is retried with the job. Throws `AggregateError` if there were
 * any.
 */
export async function moveDepartment(services: Mover, departmentId: number): Promise<void> {
  const { db, jobs } = services
  const faults = new Map<number, unknown>()
  let after = 0
  for (let batch = 0; batch < batchesOfJob; batch++) {
    const tickets = ids(await ticketsOfDepartment(db, { department: departmentId, after, limit: batchSize }))
    if (tickets.length === 0) return await settle(services, departmentId, faults)
    await moveBatch(services, departmentId, tickets, faults)
    after = tickets.at(-1)!
  }
  await jobs.send(db, 'move-department', { departmentId })
}

/** Called after every ticket was tried. */
async function settle(services: Mover, departmentId: number, faults: ReadonlyMap<number, unknown>): Promise<void> {
  if (faults.size > 0) throw new AggregateError(faults.values(), `Tickets could not be moved: ${[...faults.keys()]}`)
  if (await finishMove(services, departmentId)) return
  await services.jobs.send(services.db, 'move-department', { departmentId })
}

/** Starts a new job for each stalled move: its job has given up, or was left behind when the rows were restored elsewhere. */
export async function resumeMoves({ db, jobs, clock }: Pick<Services, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const idle = await idleMoves(db, { before: secondsAfter(clock.now(), -idleSeconds) })
  for (const { department_id: departmentId } of idle) {
    await jobs.send(db, 'move-department', { departmentId })
  }
}

/** Moves all at once or, if that fails, one by one, so that only tickets that cannot be moved stay behind. */
async function moveBatch(services: Mover, departmentId: number, ids: number[], faults: Map<number, unknown>) {
  try {
    await moveSome(services, departmentId, ids)
  } catch (error) {
    if (ids.length === 1) faults.set(ids[0]!, error)
    else for (const id of ids) await moveBatch(services, departmentId, [id], faults)
    if (faults.size >= maxFaults) throw error
  }
}

async function moveSome(services: Mover, departmentId: number, ids: readonly number[]): Promise<void> {
  await act(services, system, async ({ db, now }) => {
    const move = await lockedMove(db, departmentId, now)
    if (!move) return
    const moved = await moveTickets(db, move, ids)
    await countMoved(db, { department: departmentId, moved, now })
  })
}

/** Deletes the department if it has no tickets; true if it is gone. */
async function finishMove(services: Mover, departmentId: number): Promise<boolean> {
  return await withDepartmentsLocked(services, system, async act => {
    const { db } = act
    // Waits for transactions that began opening a ticket there before it was deactivated.
    await lockedWhole(db, { id: departmentId })
    const move = await lockedMove(db, departmentId, act.now)
    if (!move) return true
    const [left] = await ticketsOfDepartment(db, { department: departmentId, after: 0, limit: 1 })
    if (left) return false

    // Once more: somebody may have become a member meanwhile, or written without an account right before.
    await moveMembers(db, move)
    await moveUnconfirmed(db, move)
    await removeDepartment(db, { id: departmentId })
    const subject = { type: 'department', id: move.from.deptid } as const
    const before = { name: move.from.name, is_active: move.wasActive }
    const after = { moved_to: move.to.deptid, tickets_moved: move.moved }
    act.happened({ kind: 'department.deleted', subject, before, after }, move.auditActor)
    return true
  })
}

type LockedMove = Move & { from: { name: string }; wasActive: boolean; moved: number }

/** The move, locked with both departments so that neither is deleted meanwhile; undefined if it is over. */
async function lockedMove(db: Db, departmentId: number, now: Date): Promise<LockedMove | undefined> {
  await lockedDepartments(db, { from: departmentId })
  const [row] = await moveOf(db, { department: departmentId })
  if (!row) return undefined
  const auditActor: AuditActor = {
    type: row.actor_type,
    id: row.actor_id,
    name: row.actor_name,
    ip: row.ip_address,
    requestId: row.request_id
  }
  const from = { id: departmentId, deptid: row.from_deptid, name: row.from_name }
  const to = { id: row.to_department_id, deptid: row.to_deptid }
  return { from, to, auditActor, now, wasActive: row.was_active, moved: row.tickets_moved }
}

/** Deactivates a department and starts moving its tickets; the last one deletes it. Call within `reorganise`. */
export async function beginMove(
  { jobs }: Pick<Services, 'jobs'>,
  db: Db,
  move: Move,
  wasActive: boolean
): Promise<void> {
  const { from, to, auditActor, now } = move
  await setOutOfUse(db, { id: from.id })
  await moveMembers(db, move)
  await moveUnconfirmed(db, move)
  await insertMove(db, {
    from: from.id,
    to: to.id,
    wasActive,
    actorType: auditActor.type,
    actorId: auditActor.id,
    actorName: auditActor.name,
    ip: auditActor.ip,
    requestId: auditActor.requestId,
    now
  })
  await jobs.send(db, 'move-department', { departmentId: from.id })
}

function ids(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

const idleMoves = prepared((db, p: { before: Date }) =>
  db.selectFrom('department_moves').where('worked_at', '<=', p.before).select('department_id').orderBy('department_id')
)

const lockedDepartments = prepared((db, p: { from: number }) =>
  db
    .selectFrom('departments')
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('id', '=', p.from),
        eb('id', 'in', selectFrom('department_moves').where('department_id', '=', p.from).select('to_department_id'))
      ])
    )
    .select('id')
    .orderBy('id')
    .forKeyShare()
)

const lockedWhole = prepared((db, p: { id: number }) =>
  db.selectFrom('departments').where('id', '=', p.id).select('id').forUpdate()
)

const moveOf = prepared((db, p: { department: number }) =>
  db
    .selectFrom('department_moves as move')
    .innerJoin('departments as source', 'source.id', 'move.department_id')
    .innerJoin('departments as destination', 'destination.id', 'move.to_department_id')
    .where('move.department_id', '=', p.department)
    .select(['move.to_department_id', 'move.was_active', 'move.tickets_moved'])
    .select(['move.actor_type', 'move.actor_id', 'move.actor_name', 'move.ip_address', 'move.request_id'])
    .select(['source.deptid as from_deptid', 'source.name as from_name', 'destination.deptid as to_deptid'])
    .forUpdate('move')
)

const countMoved = prepared((db, p: { department: number; moved: number; now: Date }) =>
  db
    .updateTable('department_moves')
    .where('department_id', '=', p.department)
    .set(eb => ({ tickets_moved: eb('tickets_moved', '+', p.moved), worked_at: p.now }))
)

const setOutOfUse = prepared((db, p: { id: number }) =>
  db.updateTable('departments').where('id', '=', p.id).set({ is_active: false })
)

interface NewMove {
  from: number
  to: number
  wasActive: boolean
  actorType: AuditActor['type']
  actorId: number | null
  actorName: string
  ip: string | null
  requestId: string | null
  now: Date
}

const insertMove = prepared((db, p: NewMove) =>
  db.insertInto('department_moves').values({
    department_id: p.from,
    to_department_id: p.to,
    was_active: p.wasActive,
    actor_type: p.actorType,
    actor_id: p.actorId,
    actor_name: p.actorName,
    ip_address: p.ip,
    request_id: p.requestId,
    created_at: p.now,
    worked_at: p.now
  })
)

export const removeDepartment = prepared((db, p: { id: number }) => db.deleteFrom('departments').where('id', '=', p.id))
