import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createProvider, SlugTaken } from '../change-providers.ts'
import { NewSsoProvider, SsoProviderView, ssoProviderView } from '../schemas.ts'

/** Adds an identity provider. It is asked who it is: what does not answer as OpenID Connect wants is refused, with the step that failed. */
export const createSsoProvider = endpoint({
  path: '/api/admin/sso/create',
  summary: 'Add an identity provider',
  access: 'admin',
  signedInOnly: true,
  about: 'caller',
  body: NewSsoProvider,
  status: 201,
  data: Type.Object({ provider: SsoProviderView }),
  errors: [SlugTaken],
  async handle({ body, actor, services, caller }) {
    const provider = await createProvider(services, actor, body, caller)
    return { message: 'Identity provider added', data: { provider: ssoProviderView(provider, services.config) } }
  }
})
