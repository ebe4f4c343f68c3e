import { Type } from 'typebox'
import { InUse } from '../../../core/definitions/uses.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Text } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { OrganisationArchived, UnknownOrganisation } from '../membership.ts'
import { mergeOrganisations as merge, NameNotConfirmed } from '../merge-organisations.ts'
import { OrganisationIsMerging, OrganisationNotFound, OrganisationView, organisationView } from '../organisations.ts'

/**
 * Moves the people, domains and tickets of an organisation into another one and deletes it, which nothing undoes: `confirm_name` is the name of the
 * one that goes. A large one is moved by jobs; until then its detail shows the progress in `merging`.
 */
export const mergeOrganisation = endpoint({
  path: '/api/admin/organisations/merge',
  aliases: ['/api/admin/organisations/:id/merge'],
  summary: 'Merge an organisation into another one',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(),
    into_id: Id(4),
    confirm_name: Text(150, 'Weingut Brückner'),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ organisation: OrganisationView }),
  errors: [
    OrganisationNotFound,
    NameNotConfirmed,
    UnknownOrganisation,
    OrganisationArchived,
    OrganisationIsMerging,
    InUse,
    VersionConflict
  ],
  async handle({ body, actor, caller, services }) {
    const organisation = await merge(services, actor, caller, body)
    return { message: 'The organisations are merged', data: { organisation: organisationView(organisation) } }
  }
})
