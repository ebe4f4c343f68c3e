import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { OwnOrganisation, ownOrganisation } from '../people.ts'

const limits = { fallback: 100, max: 500 }

/** The client's organisation and role in it; for managers who see its tickets also its people (beyond the contract). */
export const showOwnOrganisation = endpoint({
  path: '/api/account/organisation',
  summary: 'Show your organisation',
  access: 'client',
  onlyReads: true,
  body: Type.Object({ ...pageFields(limits) }),
  data: OwnOrganisation,
  async handle({ body, actor, services }) {
    return { message: 'Organisation', data: await ownOrganisation(services.db, actor, pageOf(body, limits)) }
  }
})
