import { Type } from 'typebox'
import { InUse } from '../../../core/definitions/uses.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { OrganisationInUse, deleteOrganisation as remove } from '../change-organisations.ts'
import { OrganisationIsMerging, OrganisationNotFound } from '../organisations.ts'

/** Deletes an organisation that has neither people nor tickets; others are archived or merged. */
export const deleteOrganisation = endpoint({
  path: '/api/admin/organisations/delete',
  aliases: ['/api/admin/organisations/:id/delete'],
  summary: 'Delete an organisation without people and tickets',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id() }),
  errors: [OrganisationNotFound, OrganisationIsMerging, OrganisationInUse, InUse, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await remove(services, actor, caller, body)
    return { message: 'Organisation deleted', data: { deleted_id: body.id } }
  }
})
