import { sql } from 'kysely'
import type { StaffActor } from '../actor.ts'
import { type Doer, doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { failure } from '../kit/errors.ts'
import { requireVersion } from '../kit/versions.ts'
import type { Db } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { DepartmentRow } from '../platform/db/tables.ts'
import { departmentFor, managedDepartment } from './managed-department.ts'
import { countMembersChange, type DepartmentServices, reorganise, requireAnotherActive } from './reorganise.ts'

export const DepartmentHasTickets = failure(
  409,
  'department_has_tickets',
  'This department has tickets: name move_to_department_id, where they go'
)
export const DepartmentHasMembers = failure(
  409,
  'department_has_members',
  'Supporters who are limited to this department alone would see all: name move_to_department_id, or change its members'
)
export const UnknownDestination = failure(
  400,
  'unknown_destination',
  'There is no such active department to move the tickets to'
)

/**
 * Deletes a department for good. With `moveTo` (a deptid) its tickets go there, each with an event on its timeline, and its members
 * with them, so that nobody sees less of their work or more than they should; the moment of a ticket's last activity stays. Answers
 * how many tickets moved. Throws `DepartmentNotFound`, `LastActiveDepartment`, `UnknownDestination`, `DepartmentHasTickets`,
 * `DepartmentHasMembers`, `VersionConflict`.
 */
export async function deleteDepartment(
  services: DepartmentServices,
  actor: StaffActor,
  caller: Caller,
  { deptid, moveTo, expectedVersion }: { deptid: number; moveTo?: number; expectedVersion?: number }
): Promise<{ moved: number }> {
  return await reorganise(services, async db => {
    const doer = doerOf(actor, caller)
    const former = await departmentFor(db, actor, deptid)
    requireVersion(former.version, expectedVersion)
    if (former.is_active) await requireAnotherActive(db, former.id)
    // Waits for whoever is opening or moving a ticket here; from now on they wait for us, and then find it gone.
    await held(db, { id: former.id })

    const destination = moveTo === undefined ? undefined : await destinationOf(db, actor, former, moveTo)
    if (!destination) await requireEmpty(db, actor, former)
    const moved = destination ? await moveAll(db, doer, former, destination, services.clock.now()) : 0
    await remove(db, { id: former.id })
    await record(services, db, doer, {
      action: 'department.deleted',
      target: { type: 'department', id: deptid },
      before: { name: former.name, is_active: former.is_active },
      ...(destination ? { after: { moved_to: destination.deptid, tickets_moved: moved } } : {})
    })
    return { moved }
  })
}

async function destinationOf(db: Db, actor: StaffActor, former: DepartmentRow, deptid: number) {
  const [destination] = await activeByDeptid(db, { deptid })
  const isSeen = destination && (actor.departments?.includes(destination.id) ?? true)
  if (!isSeen || destination.id === former.id) throw UnknownDestination({ errors: ['move_to_department_id'] })
  return destination
}

async function requireEmpty(db: Db, actor: StaffActor, former: DepartmentRow): Promise<void> {
  const { ticket_count: kept, trashed_ticket_count: trashed } = await managedDepartment(db, actor, former.deptid)
  if (kept + trashed > 0) {
    const message = `This department has ${kept} tickets, and ${trashed} in the trash: name move_to_department_id, where they go`
    throw DepartmentHasTickets({ message, errors: ['move_to_department_id'] })
  }
  const [limited] = await limitedToItAlone(db, { id: former.id })
  if (limited) throw DepartmentHasMembers({ errors: ['move_to_department_id'] })
}

async function moveAll(db: Db, doer: Doer, former: DepartmentRow, to: { id: number; deptid: number }, now: Date) {
  const [counted] = await moveTickets(db, {
    from: former.id,
    to: to.id,
    before: JSON.stringify({ department_id: former.deptid }),
    after: JSON.stringify({ department_id: to.deptid }),
    doerType: doer.type,
    doerId: doer.id,
    doerName: doer.name,
    ip: doer.ip,
    requestId: doer.requestId,
    now
  })
  await moveMembers(db, { from: former.id, to: to.id, now })
  await countMembersChange(db, to.id)
  return counted!.moved
}

const held = prepared((db, p: { id: number }) =>
  db.selectFrom('departments').where('id', '=', p.id).select('id').forUpdate()
)

const activeByDeptid = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).where('is_active', '=', true).select(['id', 'deptid'])
)

const limitedToItAlone = prepared((db, p: { id: number }) =>
  db
    .selectFrom('department_members')
    .groupBy('staff_id')
    .having(({ fn }) => fn('bool_and', [sql`department_id = ${p.id}`]), '=', true)
    .select('staff_id')
    .limit(sql.lit(1))
)

type Moving = { from: number; to: number; now: Date }
type Event = {
  before: string
  after: string
  doerType: Doer['type']
  doerId: number | null
  doerName: string
  ip: string | null
  requestId: string | null
}

/** Holds the tickets in the order of their ids: one order for all who hold several. */
const moveTickets = prepared((db, p: Moving & Event) =>
  db
    .with('held', db =>
      db.selectFrom('tickets').where('department_id', '=', p.from).select('id').orderBy('id').forNoKeyUpdate()
    )
    .with('moved', db =>
      db
        .updateTable('tickets')
        .from('held')
        .whereRef('tickets.id', '=', 'held.id')
        .set({ department_id: p.to })
        .returning('tickets.id')
    )
    .with('events', db =>
      db
        .insertInto('ticket_events')
        .columns([
          'ticket_id',
          'kind',
          'actor_type',
          'actor_id',
          'actor_name',
          'before',
          'after',
          'ip_address',
          'request_id',
          'created_at'
        ])
        .expression(db =>
          db
            .selectFrom('moved')
            .select(eb => [
              'moved.id',
              sql.lit('ticket.updated').as('kind'),
              sql<Doer['type']>`${p.doerType}::text`.as('actor_type'),
              sql<number | null>`${p.doerId}::bigint`.as('actor_id'),
              eb.val(p.doerName).as('actor_name'),
              sql<string>`${p.before}::json`.as('before'),
              sql<string>`${p.after}::json`.as('after'),
              sql<string | null>`${p.ip}::varchar`.as('ip_address'),
              sql<string | null>`${p.requestId}::varchar`.as('request_id'),
              sql<Date>`${p.now}::timestamptz`.as('created_at')
            ])
        )
    )
    .selectFrom('moved')
    .select(({ fn }) => fn.countAll<number>().as('moved'))
)

const moveMembers = prepared((db, p: Moving) =>
  db
    .insertInto('department_members')
    .columns(['department_id', 'staff_id', 'created_at'])
    .expression(db =>
      db
        .selectFrom('department_members')
        .where('department_id', '=', p.from)
        .select([
          sql<number>`${p.to}::bigint`.as('department_id'),
          'staff_id',
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
    )
    .onConflict(conflict => conflict.doNothing())
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('departments').where('id', '=', p.id))
