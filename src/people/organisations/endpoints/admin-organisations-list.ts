import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { BooleanInput, Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { OrganisationView, organisations, organisationView } from '../organisations.ts'

const limits = { fallback: 50, max: 100 }

/** The organisations by name; a search finds a part of a name or domain. */
export const listOrganisations = endpoint({
  path: '/api/admin/organisations/list',
  aliases: ['/api/admin/organisations'],
  summary: 'List and search the organisations',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'brückner')),
    // The archived ones instead of the others.
    archived: Type.Optional(BooleanInput(0)),
    ...pageFields(limits)
  }),
  data: Type.Object({ ...pagedFields, organisations: Type.Array(OrganisationView) }),
  async handle({ body, services }) {
    const page = pageOf(body, limits)
    const { search, archived = 0 } = body
    const { total, organisations: found } = await organisations(services.db, { search, archived: archived === 1 }, page)
    return {
      message: 'Organisations',
      data: { ...paged(found, total, page), organisations: found.map(organisationView) }
    }
  }
})
