import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Nullable, OutputText } from '../../../kit/schemas.ts'
import { noPasskeysBecause, passkeyHost } from '../../passkeys/relying-party.ts'
import { allProviders } from '../providers.ts'
import { SsoProviderView, ssoProviderView } from '../schemas.ts'
import { whoSignsInHow } from '../who-signs-in-how.ts'

const Count = Type.Integer({ minimum: 0, examples: [9] })

/** The providers, and how many people sign in by them or by passkeys. `locked_out`: who could not sign in if staff needed single sign-on. */
export const listSsoProviders = endpoint({
  path: '/api/admin/sso/list',
  aliases: ['/api/admin/sso'],
  summary: 'List the identity providers',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({
    providers: Type.Array(Type.Object({ ...SsoProviderView.properties, connected_count: Count })),
    staff_count: Count,
    locked_out: Type.Array(
      Type.Object({ id: Id(), first_name: OutputText('Jonas'), last_name: OutputText('Petersen') })
    ),
    passkeys: Type.Object({
      host: Nullable(OutputText('desk.example')),
      unavailable_reason: Nullable(OutputText('Passkeys need https and a name; this desk runs at an IP address')),
      staff_count: Count,
      client_count: Count
    })
  }),
  async handle({ services: { db, config } }) {
    const { connected, passkeys, ...staff } = await whoSignsInHow(db)
    const providers = (await allProviders(db)).map(provider => ({
      ...ssoProviderView(provider, config),
      connected_count: connected.get(provider.id) ?? 0
    }))
    const host = passkeyHost(config) ?? null
    const unavailable_reason = noPasskeysBecause(config) ?? null
    const data = { providers, ...staff, passkeys: { host, unavailable_reason, ...passkeys } }
    return { message: 'Identity providers', data }
  }
})
