import type { Actor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { lockOwner, requireWayIn } from '../passkeys/passkeys.ts'
import { disconnect, identitiesOf } from './identities.ts'

export const IdentityNotFound = failure(404, 'identity_not_found', 'Your account is not connected so')

/** Disconnects the actor from an account at a provider. Throws `IdentityNotFound`, and `LastWayIn` if nothing else would let them in. */
export async function disconnectIdentity(services: Services, actor: Actor, id: number, caller: Caller): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const hasPassword = await lockOwner(act.db, actor)
    const identities = await identitiesOf(act.db, actor)
    const identity = identities.find(each => each.id === id)
    if (!identity) throw IdentityNotFound()
    await disconnect(act.db, actor, id)
    if (!hasPassword) await requireWayIn(services, act.db, actor)
    const subject = { type: actor.population, id: actor.id } as const
    act.happened({ kind: 'sso.disconnected', subject, before: { provider: identity.slug } })
  })
}
