import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createOrganisation as create, OrganisationExists } from '../change-organisations.ts'
import { DomainTaken, PublicDomain } from '../domains.ts'
import { OrganisationView, organisationView } from '../organisations.ts'
import { organisationFields } from '../schemas.ts'

/** Creates an organisation; whoever proves an address at one of its domains becomes a member. */
export const createOrganisation = endpoint({
  path: '/api/admin/organisations/create',
  summary: 'Create an organisation',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ ...organisationFields, name: organisationFields.name }),
  status: 201,
  data: Type.Object({ organisation: OrganisationView }),
  errors: [OrganisationExists, DomainTaken, PublicDomain],
  async handle({ body, actor, caller, services }) {
    const organisation = await create(services, actor, caller, body)
    return { message: 'Organisation created', data: { organisation: organisationView(organisation) } }
  }
})
