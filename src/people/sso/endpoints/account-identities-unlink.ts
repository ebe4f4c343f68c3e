import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { LastWayIn } from '../../passkeys/passkeys.ts'
import { disconnectIdentity, IdentityNotFound } from '../disconnect-identity.ts'

/** Disconnects the caller from an account at a provider. The last way in stays. */
export const unlinkIdentity = endpoint({
  path: '/api/account/identities/unlink',
  aliases: ['/api/account/identities/:id/unlink'],
  summary: 'Disconnect one of your accounts at identity providers',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Id() }),
  errors: [IdentityNotFound, LastWayIn],
  async handle({ body, actor, services, caller }) {
    await disconnectIdentity(services, actor, body.id, caller)
    return { message: 'Disconnected' }
  }
})
