import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { OrganisationExists, updateOrganisation as update } from '../change-organisations.ts'
import { DomainTaken, PublicDomain } from '../domains.ts'
import { OrganisationIsMerging, OrganisationNotFound, OrganisationView, organisationView } from '../organisations.ts'
import { organisationFields } from '../schemas.ts'

/** Changes the given fields; `domains` replaces all of them. Who has joined by a domain that is removed stays. */
export const updateOrganisation = endpoint({
  path: '/api/admin/organisations/update',
  aliases: ['/api/admin/organisations/:id/update'],
  summary: 'Update an organisation',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(),
    ...organisationFields,
    name: Type.Optional(organisationFields.name),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ organisation: OrganisationView }),
  errors: [OrganisationNotFound, OrganisationIsMerging, OrganisationExists, DomainTaken, PublicDomain, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const organisation = await update(services, actor, caller, body)
    return { message: 'Organisation updated', data: { organisation: organisationView(organisation) } }
  }
})
