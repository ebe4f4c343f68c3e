import type { Actor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { act } from '../../core/acts/act.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { LastWayIn, lockOwner, passkeysOf } from '../passkeys/passkeys.ts'
import { disconnect, identitiesOf } from './identities.ts'

export const IdentityNotFound = failure(404, 'identity_not_found', 'Your account is not connected so')

/** Disconnects the actor from an account at a provider. Throws `IdentityNotFound`, and `LastWayIn` if nothing else would let them in. */
export async function disconnectIdentity(services: Services, actor: Actor, id: number, caller: Caller): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const hasPassword = await lockOwner(act.db, actor)
    const identities = await identitiesOf(act.db, actor)
    const identity = identities.find(each => each.id === id)
    if (!identity) throw IdentityNotFound()
    if (!hasPassword && identities.length === 1 && !(await hasPasskey(act, actor))) throw LastWayIn()
    await disconnect(act.db, actor, id)
    const subject = { type: actor.population, id: actor.id } as const
    act.happened({ kind: 'sso.disconnected', subject, before: { provider: identity.slug } })
  })
}

async function hasPasskey({ db }: Act, actor: Actor): Promise<boolean> {
  return (await passkeysOf(db, actor)).some(({ blocked_at }) => blocked_at === null)
}
