import { type Db, prepared } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'

export const UnknownAssignee = failure(
  400,
  'unknown_assignee',
  'There is no active member of staff with this id and access to the department'
)

/** The active staff member with that id, if they see the department (by its own id). */
export async function assignableStaff(db: Db, id: number, departmentId: number) {
  const [handler] = await activeAssignable(db, { id, department: departmentId })
  return handler
}

/** The same; throws `UnknownAssignee`. */
export async function requireAssignable(db: Db, id: number, departmentId: number) {
  const handler = await assignableStaff(db, id, departmentId)
  if (!handler) throw UnknownAssignee({ errors: ['assigned_staff_id'] })
  return handler
}

const activeAssignable = prepared((db, p: { id: number; department: number }) =>
  db
    .selectFrom('staff')
    .where('staff.id', '=', p.id)
    .where('staff.is_active', '=', true)
    .where('staff.is_service_account', '=', false)
    .where(({ or, eb, exists, not, selectFrom }) => {
      const memberships = selectFrom('department_members').whereRef('department_members.staff_id', '=', 'staff.id')
      return or([
        eb('staff.role', '=', 'admin'),
        not(exists(memberships.select('department_members.staff_id'))),
        exists(
          memberships.where('department_members.department_id', '=', p.department).select('department_members.staff_id')
        )
      ])
    })
    .select(['staff.id', 'staff.first_name', 'staff.last_name'])
)
