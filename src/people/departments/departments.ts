import { type Db, prepared } from '../../core/db.ts'
import type { DepartmentRow } from '../../core/tables/departments.ts'
import { failure } from '../../kit/errors.ts'

/** No active department has this number. */
export const UnknownDepartment = failure(400, 'unknown_department', 'There is no such department')

export type Department = Pick<DepartmentRow, 'id' | 'deptid' | 'name' | 'description' | 'is_active'>

/** The active departments, by id (contract: "The list endpoint returns active departments"). */
export async function activeDepartments(db: Db): Promise<Department[]> {
  return await active(db, {})
}

const active = prepared(db =>
  db
    .selectFrom('departments')
    .where('is_active', '=', true)
    .select(['id', 'deptid', 'name', 'description', 'is_active'])
    .orderBy('id')
)
