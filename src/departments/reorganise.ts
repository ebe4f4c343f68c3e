import { sql } from 'kysely'
import { type Act, type ActServices, act, type By } from '../acts/act.ts'
import { type Db, prepared } from '../db.ts'
import { failure } from '../kit/errors.ts'

export const DepartmentIsMoving = failure(
  409,
  'department_is_moving',
  'Tickets are being moved from or to this department'
)
export const LastActiveDepartment = failure(
  409,
  'last_active_department',
  'The last active department cannot be deactivated or deleted: clients need one'
)

/**
 * Does `work` as an act, one reorganisation after the other: whoever changes departments or their members waits, so that
 * what `work` finds stays so until it is done. Tickets are opened and answered meanwhile.
 */
export async function reorganise<T>(services: ActServices, by: By, work: (act: Act) => Promise<T>): Promise<T> {
  return await act(services, by, async act => {
    await sql`lock table departments in share row exclusive mode`.execute(act.db)
    return await work(act)
  })
}

/** Throws `LastActiveDepartment` where none would be active without this one. Within `reorganise`. */
export async function requireAnotherActive(db: Db, id: number): Promise<void> {
  const [other] = await otherActive(db, { id })
  if (!other) throw LastActiveDepartment()
}

/** Throws `DepartmentIsMoving` where the tickets of this department are on their way, or those of another one to it. */
export async function requireNoMove(db: Db, id: number): Promise<void> {
  const [move] = await moveWith(db, { id })
  if (!move) return
  const message =
    move.department_id === id
      ? 'This department is being deleted: its tickets are on their way to another one'
      : 'The tickets of another department are on their way to this one: wait until they have arrived'
  throw DepartmentIsMoving({ message })
}

/** Who belongs to a department is part of its version. */
export async function countMembersChange(db: Db, id: number): Promise<void> {
  await raiseVersion(db, { id })
}

const moveWith = prepared((db, p: { id: number }) =>
  db
    .selectFrom('department_moves')
    .where(({ or, eb }) => or([eb('department_id', '=', p.id), eb('to_department_id', '=', p.id)]))
    .select('department_id')
    .limit(sql.lit(1))
)

const otherActive = prepared((db, p: { id: number }) =>
  db.selectFrom('departments').where('is_active', '=', true).where('id', '<>', p.id).select('id').limit(sql.lit(1))
)

const raiseVersion = prepared((db, p: { id: number }) =>
  db
    .updateTable('departments')
    .where('id', '=', p.id)
    .set(eb => ({ version: eb('version', '+', 1) }))
)
