import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { noPasskeysBecause, passkeyHost } from '../../passkeys/relying-party.ts'
import { allProviders } from '../providers.ts'
import { ListedSsoProvider, PasskeyUse, StaffLockedOut, ssoProviderView } from '../schemas.ts'
import { whoSignsInHow } from '../who-signs-in-how.ts'

/** The providers, and how many people sign in by them or by passkeys. `locked_out`: who could not sign in if staff needed single sign-on. */
export const listSsoProviders = endpoint({
  path: '/api/admin/sso/list',
  aliases: ['/api/admin/sso'],
  summary: 'List the identity providers',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({
    providers: Type.Array(ListedSsoProvider),
    staff_count: Type.Integer({ minimum: 0, examples: [12] }),
    locked_out: Type.Array(StaffLockedOut),
    passkeys: PasskeyUse
  }),
  async handle({ services: { db, config } }) {
    const host = passkeyHost(config) ?? null
    const { connected, passkeys, ...staff } = await whoSignsInHow(db, host ?? undefined)
    const providers = (await allProviders(db)).map(provider => ({
      ...ssoProviderView(provider, config),
      connected_count: connected.get(provider.id) ?? 0
    }))
    const unavailable_reason = noPasskeysBecause(config) ?? null
    const data = { providers, ...staff, passkeys: { host, unavailable_reason, ...passkeys } }
    return { message: 'Identity providers', data }
  }
})
