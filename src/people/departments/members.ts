import { sql } from 'kysely'
import { Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import type { Act, ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { Id } from '../../kit/schemas.ts'
import { requireVersion } from '../../kit/versions.ts'
import { lockDepartments, raiseDepartmentVersion, withDepartmentsLocked } from './department-lock.ts'
import { departmentFor } from './managed-department.ts'

export const UnknownSupporter = failure(400, 'unknown_supporter', 'There is no such supporter')
export const OwnMembership = failure(403, 'own_membership', 'You cannot change which departments you belong to')
export const BeyondOwnDepartments = failure(
  403,
  'beyond_own_departments',
  'You are restricted to departments: you cannot add a colleague without a department, or remove a colleague’s last one'
)

const Unlimited = Type.Object({ unlimited_staff_ids: Type.Array(Id()) })
export const UnrestrictedNotConfirmed = failure(
  409,
  'sees_everything_again',
  'A supporter without a department sees all departments: confirm this with confirm_unlimited',
  Unlimited
)

interface NewMembers {
  deptid: number
  staffIds: readonly number[]
  /** Confirms that staff removed from their last department will see all departments. */
  confirmUnlimited: boolean
  expectedVersion?: number
}

/** A supporter who sees and handles this department, and others only as a member of them. */
interface Member {
  id: number
  first_name: string
  last_name: string
  email: string
  is_active: boolean
}

interface Membership {
  members: Member[]
  /** The version of the department. */
  version: number
}

/** The members of a department, by id. Throws `DepartmentNotFound`. */
export async function departmentMembers(db: Db, actor: StaffActor, deptid: number): Promise<Membership> {
  const { id, version } = await departmentFor(db, actor, deptid)
  return { members: await membersOf(db, { department: id }), version }
}

/**
 * Replaces the members of a department, effective from their next request. Returns the members, and who is no longer a member of any
 * department, and so sees all: `UnrestrictedNotConfirmed` unless confirmed. Throws `DepartmentNotFound`, `UnknownSupporter` (admins see all and
 * cannot be members), `VersionConflict`. Nobody can widen what they see themselves (`OwnMembership`), nor with the help of a colleague: an
 * actor who is limited to departments cannot remove somebody from their last one, nor add somebody who has none (`BeyondOwnDepartments`).
 * Tickets stay assigned even to staff who no longer see them.
 */
export async function setMembers(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { deptid, staffIds, confirmUnlimited, expectedVersion }: NewMembers
): Promise<Membership & { unlimited: number[] }> {
  const wanted = new Set(staffIds)

  return await withDepartmentsLocked(services, { actor, caller }, async act => {
    const { db } = act
    const { id: department, version } = await departmentFor(db, actor, deptid)
    requireVersion(version, expectedVersion)
    const before = (await membersOf(db, { department })).map(({ id }) => id)
    const removed = before.filter(id => !wanted.has(id))
    const added = [...wanted].filter(id => !before.includes(id))
    if (actor.role !== 'admin' && [...removed, ...added].includes(actor.id)) throw OwnMembership()
    await requireSupporters(db, added)
    if (actor.departments) await requireLimited(db, added)

    await removeMembers(db, { department, staff: removed })
    await addMembers(db, { department, staff: added, now: act.now })
    const members = await membersOf(db, { department })
    const unlimited = (await unlimitedAmong(db, { staff: removed })).map(({ id }) => id)
    if (unlimited.length > 0) refuseUnlimited(actor, unlimited, confirmUnlimited)
    const isChanged = removed.length + added.length > 0
    if (isChanged) {
      await raiseDepartmentVersion(db, department)
      act.happened({
        kind: 'department.members_changed',
        subject: { type: 'department', id: deptid },
        before: { staff_ids: before },
        after: { staff_ids: members.map(({ id }) => id) }
      })
    }
    return { members, version: version + Number(isChanged), unlimited }
  })
}

/**
 * Makes a supporter a member of exactly those departments that are there among these deptids; of none they see all. Departments are locked if that
 * changes anything: lock the supporter after it.
 */
export async function setDepartmentsOf(act: Act, staff: number, deptids: readonly number[]): Promise<void> {
  const { db, now } = act
  if ((await changedFor(db, { staff, deptids })).length === 0) return
  await lockDepartments(db)
  for (const { id: department, deptid, is_member } of await changedFor(db, { staff, deptids })) {
    const before = (await membersOf(db, { department })).map(({ id }) => id)
    if (is_member) await removeMembers(db, { department, staff: [staff] })
    else await addMembers(db, { department, staff: [staff], now })
    await raiseDepartmentVersion(db, department)
    act.happened({
      kind: 'department.members_changed',
      subject: { type: 'department', id: deptid },
      before: { staff_ids: before },
      after: { staff_ids: (await membersOf(db, { department })).map(({ id }) => id) }
    })
  }
}

/** Throws `BeyondOwnDepartments` unless each of them is a member of some department. */
async function requireLimited(db: Db, ids: readonly number[]): Promise<void> {
  const [unlimited] = await unlimitedAmong(db, { staff: ids })
  if (unlimited) throw BeyondOwnDepartments({ errors: ['staff_ids'] })
}

function refuseUnlimited(actor: StaffActor, unlimited_staff_ids: number[], isConfirmed: boolean): void {
  if (actor.departments) throw BeyondOwnDepartments({ errors: ['staff_ids'] })
  if (isConfirmed) return
  const named = `${unlimited_staff_ids.slice(0, 10).join(', ')}${unlimited_staff_ids.length > 10 ? ' …' : ''}`
  throw UnrestrictedNotConfirmed({
    message: `Supporters without a department would see all departments: ${named}. Confirm this with confirm_unlimited: 1`,
    errors: ['confirm_unlimited'],
    data: { unlimited_staff_ids }
  })
}

/** Locked, so that none of them is deleted meanwhile. */
async function requireSupporters(db: Db, ids: readonly number[]): Promise<void> {
  const found = new Set((await supportersAmong(db, { staff: ids })).map(({ id }) => id))
  const unknown = ids.filter(id => !found.has(id))
  if (unknown.length === 0) return
  const message = `No supporters: ${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ' …' : ''}`
  throw UnknownSupporter({ message, errors: ['staff_ids'] })
}

/** The departments of which somebody is a member and shall not be, or is none and shall be. */
const changedFor = prepared((db, p: { staff: number; deptids: readonly number[] }) => {
  const isMember = sql<boolean>`exists (select from department_members as member
    where member.department_id = departments.id and member.staff_id = ${p.staff})`
  return db
    .selectFrom('departments')
    .where(sql<boolean>`${isMember} <> (deptid = any(${p.deptids}::bigint[]))`)
    .select(['id', 'deptid', isMember.as('is_member')])
    .orderBy('id')
})

const membersOf = prepared((db, p: { department: number }) =>
  db
    .selectFrom('department_members')
    .innerJoin('staff', 'staff.id', 'department_members.staff_id')
    .where('department_members.department_id', '=', p.department)
    // Those of service accounts are set where these are.
    .where('staff.is_service_account', '=', false)
    .select(['staff.id', 'staff.first_name', 'staff.last_name', 'staff.email', 'staff.is_active'])
    .orderBy('staff.id')
)

const supportersAmong = prepared((db, p: { staff: readonly number[] }) =>
  db
    .selectFrom('staff')
    .where('id', '=', sql<number>`any(${p.staff}::bigint[])`)
    .where('role', '=', 'supporter')
    .where('is_service_account', '=', false)
    .select('id')
    .orderBy('id')
    .forKeyShare()
)

const removeMembers = prepared((db, p: { department: number; staff: readonly number[] }) =>
  db
    .deleteFrom('department_members')
    .where('department_id', '=', p.department)
    .where('staff_id', '=', sql<number>`any(${p.staff}::bigint[])`)
)

const addMembers = prepared((db, p: { department: number; staff: readonly number[]; now: Date }) =>
  db
    .insertInto('department_members')
    .columns(['department_id', 'staff_id', 'created_at'])
    .expression(db =>
      db
        .selectFrom(sql<{ id: number }>`unnest(${p.staff}::bigint[])`.as(sql`added(id)`))
        .select([
          sql<number>`${p.department}::bigint`.as('department_id'),
          sql<number>`added.id`.as('staff_id'),
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
    )
)

const unlimitedAmong = prepared((db, p: { staff: readonly number[] }) =>
  db
    .selectFrom('staff')
    .where('staff.id', '=', sql<number>`any(${p.staff}::bigint[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('department_members')
            .whereRef('department_members.staff_id', '=', 'staff.id')
            .select('department_members.staff_id')
        )
      )
    )
    .select('staff.id')
    .orderBy('staff.id')
)
