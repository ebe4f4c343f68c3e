import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Nullable, OutputText } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { hasPassword, passkeysOf } from '../passkeys.ts'
import { noPasskeysBecause } from '../relying-party.ts'
import { PasskeyView, passkeyView } from '../schemas.ts'

/** The caller's passkeys, and whether this desk can have any. Without a password, the last one cannot be deleted. */
export const listPasskeys = endpoint({
  path: '/api/account/passkeys/list',
  aliases: ['/api/account/passkeys'],
  summary: 'List your passkeys',
  access: 'user',
  signedInOnly: true,
  whileRestricted: true,
  onlyReads: true,
  data: Type.Object({
    passkeys: Type.Array(PasskeyView),
    has_password: Flag(),
    unavailable_reason: Nullable(OutputText('Passkeys need https and a name; this desk runs at an IP address'))
  }),
  async handle({ actor, services }) {
    const passkeys = await passkeysOf(services.db, actor)
    const has_password = bit(await hasPassword(services.db, actor))
    const unavailable_reason = noPasskeysBecause(services.config) ?? null
    return { message: 'Your passkeys', data: { passkeys: passkeys.map(passkeyView), has_password, unavailable_reason } }
  }
})
