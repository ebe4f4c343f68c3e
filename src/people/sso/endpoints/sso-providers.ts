import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { allProviders } from '../providers.ts'
import { SignOnView } from '../schemas.ts'

/** The identity providers by which one may sign in, for the sign-in pages. */
export const listSignOns = endpoint({
  path: '/api/sso/providers',
  summary: 'List the identity providers by which one signs in',
  access: 'public',
  onlyReads: true,
  data: Type.Object({
    providers: Type.Array(SignOnView)
  }),
  async handle({ services }) {
    const providers = (await allProviders(services.db)).filter(({ is_active }) => is_active)
    return { message: 'Identity providers', data: { providers } }
  }
})
