import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { archiveOrganisation as archive } from '../change-organisations.ts'
import { OrganisationIsMerging, OrganisationNotFound, OrganisationView, organisationView } from '../organisations.ts'

/** People may join the organisation again. */
export const unarchiveOrganisation = endpoint({
  path: '/api/admin/organisations/unarchive',
  aliases: ['/api/admin/organisations/:id/unarchive'],
  summary: 'Unarchive an organisation',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ organisation: OrganisationView }),
  errors: [OrganisationNotFound, OrganisationIsMerging, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const organisation = await archive(services, actor, caller, { ...body, archived: false })
    return { message: 'Organisation unarchived', data: { organisation: organisationView(organisation) } }
  }
})
