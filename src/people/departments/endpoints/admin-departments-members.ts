import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id, OutputText } from '../../../kit/schemas.ts'
import { ExpectedVersion, Version, VersionConflict } from '../../../kit/versions.ts'
import { bit } from '../../../lib/bit.ts'
import { DepartmentNotFound } from '../managed-department.ts'
import {
  BeyondOwnDepartments,
  departmentMembers,
  OwnMembership,
  setMembers,
  UnknownSupporter,
  UnrestrictedNotConfirmed
} from '../members.ts'

/**
 * Lists the members of a department; `staff_ids` replaces them. Tickets stay assigned to staff who no longer see them: others find them by
 * department and assignee. Somebody who is a member of no department sees all: if the change makes anybody so, `confirm_unlimited` is
 * required.
 */
export const departmentMembership = endpoint({
  path: '/api/admin/departments/members',
  aliases: ['/api/admin/departments/:id/members'],
  summary: 'Show or set the members of a department',
  access: { anyOf: ['departments.manage'] },
  about: { staff: ['staff_ids', 'members.id'] },
  body: Type.Object({
    id: Id(),
    staff_ids: Type.Optional(Type.Array(Id(), { maxItems: 1000, examples: [[2, 3]] })),
    // Confirms that staff removed from their last department will see all departments.
    confirm_unlimited: Type.Optional(Flag(0)),
    expected_version: ExpectedVersion
  }),
  synonyms: { deptid: 'id', department_id: 'id' },
  data: Type.Object({
    id: Id(),
    count: Type.Integer({ minimum: 0, examples: [1] }),
    members: Type.Array(
      Type.Object({
        id: Id(),
        first_name: OutputText('Grace'),
        last_name: OutputText('Hopper'),
        email: OutputText('grace@example.com'),
        is_active: Flag()
      })
    ),
    // Staff who were removed from their last department, and so see all.
    unlimited_staff_ids: Type.Array(Id()),
    // The version of the department.
    version: Version
  }),
  errors: [
    DepartmentNotFound,
    UnknownSupporter,
    OwnMembership,
    BeyondOwnDepartments,
    UnrestrictedNotConfirmed,
    VersionConflict
  ],
  async handle({ body, actor, caller, services }) {
    const { id, staff_ids: staffIds, confirm_unlimited, expected_version: expectedVersion } = body
    const confirmUnlimited = confirm_unlimited === 1
    const { members, version, unlimited } = staffIds
      ? await setMembers(services, actor, caller, { deptid: id, staffIds, confirmUnlimited, expectedVersion })
      : { ...(await departmentMembers(services.db, actor, id)), unlimited: [] }
    return {
      message: staffIds ? 'Members set' : 'Members',
      data: {
        id,
        count: members.length,
        members: members.map(member => ({ ...member, is_active: bit(member.is_active) })),
        unlimited_staff_ids: unlimited,
        version
      }
    }
  }
})
