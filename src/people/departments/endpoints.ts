import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createDepartment } from './endpoints/admin-departments-create.ts'
import { deleteDepartment } from './endpoints/admin-departments-delete.ts'
import { showDepartment } from './endpoints/admin-departments-detail.ts'
import { listManagedDepartments } from './endpoints/admin-departments-list.ts'
import { departmentMembership } from './endpoints/admin-departments-members.ts'
import { updateDepartment } from './endpoints/admin-departments-update.ts'
import { listDepartments } from './endpoints/departments.ts'

export const departmentsEndpoints: readonly AnyEndpoint[] = [
  listDepartments,
  listManagedDepartments,
  showDepartment,
  createDepartment,
  updateDepartment,
  deleteDepartment,
  departmentMembership
]
