import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Flag, Id, Shown } from '../../kit/schemas.ts'
import { ExpectedVersion, Version, VersionConflict } from '../../kit/versions.ts'
import { bit } from '../../lib/views.ts'
import { DepartmentNotFound } from '../managed-department.ts'
import {
  BeyondOwnDepartments,
  departmentMembers,
  OwnMembership,
  SeesEverythingAgain,
  setMembers,
  UnknownSupporter
} from '../members.ts'

/**
 * The members of a department; with `staff_ids` those are its members from now on, and nobody else. What is assigned to somebody who
 * does not see it any more stays so: others find it by its department and its assignee. Who is a member of no department sees all:
 * where somebody comes to that, `confirm_unlimited` is asked for.
 */
export const departmentMembership = endpoint({
  path: '/api/admin/departments/members',
  aliases: ['/api/admin/departments/:id/members'],
  summary: 'Show or set the members of a department',
  access: { anyOf: ['departments.manage'] },
  body: Type.Object({
    id: Id(),
    staff_ids: Type.Optional(Type.Array(Id(), { maxItems: 1000, examples: [[2, 3]] })),
    // Says that whoever is taken out of their last department shall see all of them.
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
        first_name: Shown('Grace'),
        last_name: Shown('Hopper'),
        email: Shown('grace@example.com'),
        is_active: Flag()
      })
    ),
    // Who was taken out, is a member of no department any more, and so sees all.
    unlimited_staff_ids: Type.Array(Id()),
    // Of the department.
    version: Version
  }),
  errors: [
    DepartmentNotFound,
    UnknownSupporter,
    OwnMembership,
    BeyondOwnDepartments,
    SeesEverythingAgain,
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
