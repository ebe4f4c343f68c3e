import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { allProviders } from '../providers.ts'
import { SsoProviderView, ssoProviderView } from '../schemas.ts'

export const listSsoProviders = endpoint({
  path: '/api/admin/sso/list',
  aliases: ['/api/admin/sso'],
  summary: 'List the identity providers',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ providers: Type.Array(SsoProviderView) }),
  async handle({ services }) {
    const providers = await allProviders(services.db)
    const shown = providers.map(provider => ssoProviderView(provider, services.config))
    return { message: 'Identity providers', data: { providers: shown } }
  }
})
