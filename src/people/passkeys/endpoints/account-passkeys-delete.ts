import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { deletePasskey, LastWayIn, PasskeyNotFound } from '../passkeys.ts'

/** Deletes a passkey of the caller: it no longer signs in. Without a password, the last one stays. */
export const deleteOwnPasskey = endpoint({
  path: '/api/account/passkeys/delete',
  aliases: ['/api/account/passkeys/:id/delete'],
  summary: 'Delete one of your passkeys',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Id() }),
  errors: [PasskeyNotFound, LastWayIn],
  async handle({ body, actor, services, caller }) {
    await deletePasskey(services, actor, body.id, caller)
    return { message: 'Passkey deleted' }
  }
})
