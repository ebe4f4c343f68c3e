import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import type { ActServices } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Caller } from '../../kit/caller.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { requireAnotherActive, requireNoMove, withDepartmentsLocked } from './department-lock.ts'
import { departmentFor, type ManagedDepartment, managedDepartment } from './managed-department.ts'

export const DepartmentExists = failure(409, 'department_exists', 'There is a department with this deptid already')

export interface NewDepartment {
  name: string
  description?: string
  /** By default the next free one. */
  deptid?: number
  is_active?: 0 | 1
}

/** Missing fields stay; null empties the description. */
export interface DepartmentChanges {
  name?: string
  description?: string | null
  is_active?: 0 | 1
  expected_version?: number
}

/**
 * Creates a department, whose id is its deptid (decision 11). Throws `DepartmentExists`; `Forbidden` for staff who are limited to other
 * departments.
 */
export async function createDepartment(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { deptid: wanted, name, description, is_active = 1 }: NewDepartment
): Promise<ManagedDepartment> {
  if (actor.departments) throw Forbidden({ message: 'You see certain departments alone, and cannot add others' })
  return await withDepartmentsLocked(services, { actor, caller }, async act => {
    const { db } = act
    const deptid = wanted ?? (await nextFree(db))
    const row = {
      deptid,
      name,
      description: description ?? null,
      is_active: is_active === 1,
      now: act.now
    }
    const [created] = await insertDepartment(db, row)
    if (!created) throw DepartmentExists({ errors: ['deptid'] })
    const department = await managedDepartment(db, actor, deptid)
    act.happened({
      kind: 'department.created',
      subject: { type: 'department', id: deptid },
      after: { name, is_active: row.is_active }
    })
    return department
  })
}

/**
 * Changes the given fields. Throws `DepartmentNotFound`, `VersionConflict`, `LastActiveDepartment` if no active one would be left, and
 * `DepartmentIsMoving` for reactivating one while tickets move out of it or into it.
 */
export async function updateDepartment(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  deptid: number,
  { is_active, expected_version, ...texts }: DepartmentChanges
): Promise<ManagedDepartment> {
  return await withDepartmentsLocked(services, { actor, caller }, async act => {
    const { db } = act
    const former = await departmentFor(db, actor, deptid)
    requireVersion(former.version, expected_version)
    const given = { ...texts, is_active: is_active === undefined ? undefined : is_active === 1 }
    const changed = Object.entries(given).filter(
      ([name, value]) => value !== undefined && value !== former[name as keyof typeof given]
    )
    if (changed.length === 0) return await managedDepartment(db, actor, deptid)

    const after = Object.fromEntries(changed)
    if (after.is_active === true) await requireNoMove(db, former.id)
    if (after.is_active === false) await requireAnotherActive(db, former.id)
    await rewrite(db, { ...former, ...after })
    const department = await managedDepartment(db, actor, deptid)
    act.happened({
      kind: 'department.updated',
      subject: { type: 'department', id: deptid },
      before: Object.fromEntries(changed.map(([name]) => [name, former[name as keyof typeof given]])),
      after
    })
    return department
  })
}

/** The next number of the sequence that is not taken. */
async function nextFree(db: Db): Promise<number> {
  const [next] = await nextOfSequence(db, {})
  const [free] = await freeFrom(db, { first: next!.id })
  return free!.deptid
}

const nextOfSequence = prepared(db =>
  db.selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('departments', 'id'))`.as('id'))
)

/** Each department takes at most two numbers, its id and its deptid: among one more than that, one is free. */
const freeFrom = prepared((db, p: { first: number }) =>
  db
    .selectFrom(
      sql<{ deptid: number }>`generate_series(
        ${p.first}::bigint, ${p.first}::bigint + 2 * (select count(*) from departments))`.as<'free'>(sql`free(deptid)`)
    )
    .where(
      'free.deptid',
      'not in',
      db.selectFrom('departments').select('id').unionAll(db.selectFrom('departments').select('deptid as id'))
    )
    .select(({ fn }) => fn.min('free.deptid').as('deptid'))
)

const insertDepartment = prepared(
  (db, p: { deptid: number; name: string; description: string | null; is_active: boolean; now: Date }) =>
    db
      .insertInto('departments')
      .values({
        id: p.deptid,
        deptid: p.deptid,
        name: p.name,
        description: p.description,
        is_active: p.is_active,
        created_at: p.now
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
)

const rewrite = prepared((db, p: { id: number; name: string; description: string | null; is_active: boolean }) =>
  db
    .updateTable('departments')
    .where('id', '=', p.id)
    .set({ name: p.name, description: p.description, is_active: p.is_active })
)
