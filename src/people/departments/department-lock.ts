import { sql } from 'kysely'
import { type Act, type ActServices, act, type By } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'

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
 * Runs `work` as an act, one reorganisation at a time: other changes of departments or members wait, so that what `work` reads stays true
 * until it commits. Tickets can be opened and answered meanwhile.
 */
export async function withDepartmentsLocked<T>(
  services: ActServices,
  by: By,
  work: (act: Act) => Promise<T>
): Promise<T> {
  return await act(services, by, async act => {
    await lockDepartments(act.db)
    return await work(act)
  })
}

/** The same within a transaction. */
export async function lockDepartments(db: Db): Promise<void> {
  await sql`lock table departments in share row exclusive mode`.execute(db)
}

/** Throws `LastActiveDepartment` if none would be active without this one. Call within `reorganise`. */
export async function requireAnotherActive(db: Db, id: number): Promise<void> {
  const [other] = await otherActive(db, { id })
  if (!other) throw LastActiveDepartment()
}

/** Throws `DepartmentIsMoving` if tickets are moving out of this department, or into it. */
export async function requireNoMove(db: Db, id: number): Promise<void> {
  const [move] = await moveWith(db, { id })
  if (!move) return
  const message =
    move.department_id === id
      ? 'This department is being deleted: its tickets are on their way to another one'
      : 'The tickets of another department are on their way to this one: wait until they have arrived'
  throw DepartmentIsMoving({ message })
}

/** Membership is part of a department's version. */
export async function raiseDepartmentVersion(db: Db, id: number): Promise<void> {
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
