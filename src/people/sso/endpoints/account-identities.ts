import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { identitiesOf } from '../identities.ts'
import { IdentityView, identityView } from '../schemas.ts'

/** The accounts at identity providers with which the caller's is connected. */
export const listIdentities = endpoint({
  path: '/api/account/identities',
  aliases: ['/api/account/identities/list'],
  summary: 'List your connected accounts at identity providers',
  access: 'user',
  signedInOnly: true,
  onlyReads: true,
  data: Type.Object({ identities: Type.Array(IdentityView) }),
  async handle({ actor, services }) {
    const identities = await identitiesOf(services.db, actor)
    return { message: 'Connected accounts', data: { identities: identities.map(identityView) } }
  }
})
