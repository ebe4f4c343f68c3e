import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { Flag, Nullable, OutputText } from '../../../kit/schemas.ts'
import { passkeyHost } from '../../passkeys/relying-party.ts'
import { allProviders } from '../providers.ts'
import { SignOnView } from '../schemas.ts'

/** The ways to sign in besides a password, for the sign-in pages. */
export const listSignOns = endpoint({
  path: '/api/sso/providers',
  summary: 'List the identity providers by which one signs in',
  access: 'public',
  onlyReads: true,
  data: Type.Object({
    providers: Type.Array(SignOnView),
    // By password only admins with a second factor sign in then.
    require_sso_staff: Flag(0),
    // The name to which passkeys are bound: pages at another one offer none.
    passkey_host: Nullable(OutputText('desk.example'))
  }),
  async handle({ services }) {
    const providers = (await allProviders(services.db)).filter(({ is_active }) => is_active)
    const { require_sso_staff } = (await settingsOf(services.db)).settings
    const passkey_host = passkeyHost(services.config) ?? null
    return { message: 'Identity providers', data: { providers, require_sso_staff, passkey_host } }
  }
})
