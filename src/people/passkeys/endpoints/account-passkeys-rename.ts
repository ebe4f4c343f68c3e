import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { PasskeyNotFound, renamePasskey } from '../passkeys.ts'
import { PasskeyName, PasskeyView, passkeyView } from '../schemas.ts'

export const nameOwnPasskey = endpoint({
  path: '/api/account/passkeys/rename',
  aliases: ['/api/account/passkeys/:id/rename'],
  summary: 'Rename one of your passkeys',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Id(), name: PasskeyName }),
  data: Type.Object({ passkey: PasskeyView }),
  errors: [PasskeyNotFound],
  async handle({ body, actor, services, caller }) {
    const passkey = await renamePasskey(services, actor, body, caller)
    return { message: 'Passkey renamed', data: { passkey: passkeyView(passkey) } }
  }
})
