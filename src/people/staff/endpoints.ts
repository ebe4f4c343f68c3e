import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { listPermissions } from './endpoints/admin-permissions.ts'
import { createStaffMember } from './endpoints/admin-staff-create.ts'
import { deleteStaffMember } from './endpoints/admin-staff-delete.ts'
import { showStaffMember } from './endpoints/admin-staff-detail.ts'
import { listStaffMembers } from './endpoints/admin-staff-list.ts'
import { setStaffPermissions } from './endpoints/admin-staff-permissions.ts'
import { updateStaff } from './endpoints/admin-staff-update.ts'

export const staffEndpoints: readonly AnyEndpoint[] = [
  listPermissions,
  listStaffMembers,
  createStaffMember,
  showStaffMember,
  updateStaff,
  setStaffPermissions,
  deleteStaffMember
]
