import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { archiveOrganisation as archive } from '../change-organisations.ts'
import { OrganisationIsMerging, OrganisationNotFound, OrganisationView, organisationView } from '../organisations.ts'

/** Nobody joins an archived organisation; its managers see as before. */
export const archiveOrganisation = endpoint({
  path: '/api/admin/organisations/archive',
  aliases: ['/api/admin/organisations/:id/archive'],
  summary: 'Archive an organisation',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ organisation: OrganisationView }),
  errors: [OrganisationNotFound, OrganisationIsMerging, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const organisation = await archive(services, actor, caller, { ...body, archived: true })
    return { message: 'Organisation archived', data: { organisation: organisationView(organisation) } }
  }
})
