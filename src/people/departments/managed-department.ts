import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { DepartmentRow } from '../../core/tables/departments.ts'
import { failure } from '../../kit/errors.ts'
import { Flag, Id, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'

export const DepartmentNotFound = failure(404, 'department_not_found', 'There is no such department')

/** A department with its counts, for staff who manage it. */
export interface ManagedDepartment extends DepartmentRow {
  /** Open tickets that are neither in the trash nor merged, as the queue counts them. */
  open_ticket_count: number
  /** The same, closed ones too. */
  ticket_count: number
  trashed_ticket_count: number
  member_count: number
  /** The deptid to which its tickets are moving, and how many have moved; null unless it is being deleted. */
  moving_to: number | null
  tickets_moved: number | null
}

/** All departments that the actor sees, inactive ones too, by id: those that they are limited to, otherwise all. */
export async function managedDepartments(db: Db, actor: StaffActor): Promise<ManagedDepartment[]> {
  const departments = await allWithCounts(db, {})
  return departments.filter(({ id }) => actor.departments?.includes(id) ?? true)
}

/** The department with this deptid, if the actor sees it. Throws `DepartmentNotFound`. */
export async function departmentFor(db: Db, actor: StaffActor, deptid: number): Promise<DepartmentRow> {
  const [department] = await byDeptid(db, { deptid })
  return seenBy(actor, department)
}

/** The same with its counts. */
export async function managedDepartment(db: Db, actor: StaffActor, deptid: number): Promise<ManagedDepartment> {
  const [department] = await oneWithCounts(db, { deptid })
  return seenBy(actor, department)
}

export const ManagedDepartmentView = Type.Object({
  id: Id(),
  deptid: Id(),
  name: OutputText('Technical Support'),
  description: Nullable(OutputText('Help with using and repairing our products and services')),
  is_active: Flag(),
  open_ticket_count: Type.Integer({ minimum: 0, examples: [12] }),
  ticket_count: Type.Integer({ minimum: 0, examples: [340] }),
  trashed_ticket_count: Type.Integer({ minimum: 0, examples: [2] }),
  member_count: Type.Integer({ minimum: 0, examples: [3] }),
  // While it is being deleted: where its tickets go, and the progress.
  moving: Nullable(
    Type.Object({
      to_department_id: Id(4),
      tickets_moved: Type.Integer({ minimum: 0, examples: [12_500] }),
      tickets_left: Type.Integer({ minimum: 0, examples: [17_500] })
    })
  ),
  version: Version,
  created_at: Timestamp()
})

export function managedDepartmentView(department: ManagedDepartment): Static<typeof ManagedDepartmentView> {
  return {
    ...department,
    is_active: bit(department.is_active),
    moving: movingOf(department),
    created_at: timestamp(department.created_at)
  }
}

function movingOf({ moving_to, tickets_moved, ticket_count, trashed_ticket_count }: ManagedDepartment) {
  if (moving_to === null) return null
  return {
    to_department_id: moving_to,
    tickets_moved: tickets_moved ?? 0,
    tickets_left: ticket_count + trashed_ticket_count
  }
}

function seenBy<D extends DepartmentRow>(actor: StaffActor, department: D | undefined): D {
  if (!department || !(actor.departments?.includes(department.id) ?? true)) throw DepartmentNotFound()
  return department
}

const columns = [
  'departments.id',
  'departments.deptid',
  'departments.name',
  'departments.description',
  'departments.is_active',
  'departments.created_at',
  'departments.version'
] as const

const byDeptid = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).select(columns)
)

const allWithCounts = prepared(db => withCounts(db, ticketCounts(db), memberCounts(db)).orderBy('departments.id'))

/** Counts only what belongs to this department. */
const oneWithCounts = prepared((db, p: { deptid: number }) => {
  const own = db.selectFrom('departments').where('deptid', '=', p.deptid).select('departments.id')
  const tickets = ticketCounts(db).where('tickets.department_id', '=', own)
  const members = memberCounts(db).where('department_members.department_id', '=', own)
  return withCounts(db, tickets, members).where('departments.deptid', '=', p.deptid)
})

function withCounts(db: Db, tickets: ReturnType<typeof ticketCounts>, members: ReturnType<typeof memberCounts>) {
  return db
    .selectFrom('departments')
    .leftJoin(tickets.as('counted'), 'counted.department_id', 'departments.id')
    .leftJoin(members.as('manned'), 'manned.department_id', 'departments.id')
    .leftJoin('department_moves as move', 'move.department_id', 'departments.id')
    .leftJoin('departments as destination', 'destination.id', 'move.to_department_id')
    .select(columns)
    .select(['destination.deptid as moving_to', 'move.tickets_moved'])
    .select(({ fn, lit }) => [
      fn.coalesce('counted.open', lit(0)).as('open_ticket_count'),
      fn.coalesce('counted.kept', lit(0)).as('ticket_count'),
      fn.coalesce('counted.trashed', lit(0)).as('trashed_ticket_count'),
      fn.coalesce('manned.members', lit(0)).as('member_count')
    ])
}

/** From the sums that the database keeps, without merged tickets or the trash; the trash is counted by its own index. */
function ticketCounts(db: Db) {
  const parts = sql<{ department_id: number; open: number; kept: number; trashed: number }>`(
    select department_id, case when status <> 'Closed' then tickets else 0 end as open, tickets as kept, 0 as trashed from ticket_counts
    union all
    select department_id, 0, 0, 1 from tickets where trashed_at is not null)`
  return db
    .selectFrom(parts.as('tickets'))
    .groupBy('tickets.department_id')
    .select('tickets.department_id')
    .select(({ fn }) => [
      fn.sum<number>('tickets.open').as('open'),
      fn.sum<number>('tickets.kept').as('kept'),
      fn.sum<number>('tickets.trashed').as('trashed')
    ])
}

function memberCounts(db: Db) {
  return (
    db
      .selectFrom('department_members')
      .innerJoin('staff', 'staff.id', 'department_members.staff_id')
      // They are the members that the department shows.
      .where('staff.is_service_account', '=', false)
      .groupBy('department_members.department_id')
      .select(({ fn }) => ['department_members.department_id', fn.countAll<number>().as('members')])
  )
}
