import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { latestRefusals } from '../refusals.ts'
import { SsoRefusalView, ssoRefusalView } from '../schemas.ts'

/** The last 200 sign-ins by a provider that were refused, of 30 days, with the reason and the reference that the person was shown. */
export const listSsoRefusals = endpoint({
  path: '/api/admin/sso/refusals/list',
  aliases: ['/api/admin/sso/refusals'],
  summary: 'List refused sign-ins by identity providers',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ refusals: Type.Array(SsoRefusalView) }),
  async handle({ services }) {
    const refusals = await latestRefusals(services.db)
    return { message: 'Refused sign-ins', data: { refusals: refusals.map(ssoRefusalView) } }
  }
})
