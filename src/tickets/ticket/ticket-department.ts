import { type Db, prepared } from '../../core/db.ts'

/** Locks the new department before the ticket, in the same order as deleting a department does. */
export async function lockDepartmentOf(db: Db, { department_id: deptid }: { department_id?: number }): Promise<void> {
  if (deptid !== undefined) await lockedDepartment(db, { deptid })
}

/** The deptid of an existing department. */
export async function deptidOf(db: Db, id: number): Promise<number> {
  const [department] = await departmentById(db, { id })
  return department!.deptid
}

/** Locked, so that it is not deactivated meanwhile. */
const lockedDepartment = prepared((db, p: { deptid: number }) =>
  db.selectFrom('departments').where('deptid', '=', p.deptid).select('id').forShare()
)

/** An active department, or the present one of the ticket; see `lockedDepartment`. */
export const destinationDepartment = prepared((db, p: { deptid: number; here: number }) =>
  db
    .selectFrom('departments')
    .where('deptid', '=', p.deptid)
    .where(({ or, eb }) => or([eb('is_active', '=', true), eb('id', '=', p.here)]))
    .select('id')
)

const departmentById = prepared((db, p: { id: number }) =>
  db.selectFrom('departments').where('id', '=', p.id).select('deptid')
)
