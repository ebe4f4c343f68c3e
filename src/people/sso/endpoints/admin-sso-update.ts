import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { VersionConflict } from '../../../kit/versions.ts'
import { SsoProviderNotFound, updateProvider } from '../change-providers.ts'
import { SsoProviderChanges, SsoProviderView, ssoProviderView } from '../schemas.ts'

/** Changes an identity provider. What is not sent stays, also the secret. */
export const changeSsoProvider = endpoint({
  path: '/api/admin/sso/update',
  aliases: ['/api/admin/sso/:id/update'],
  summary: 'Change an identity provider',
  access: 'admin',
  signedInOnly: true,
  about: 'caller',
  body: SsoProviderChanges,
  data: Type.Object({ provider: SsoProviderView }),
  errors: [SsoProviderNotFound, VersionConflict],
  async handle({ body, actor, services, caller }) {
    const provider = await updateProvider(services, actor, body, caller)
    return { message: 'Identity provider changed', data: { provider: ssoProviderView(provider, services.config) } }
  }
})
