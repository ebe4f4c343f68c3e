import type { Actor } from '../actor.ts'
import type { ActorType } from '../tables/columns.ts'

/** Who does something, and from where, as it is recorded: the name as it was then. */
export interface AuditActor {
  type: ActorType
  id: number | null
  name: string
  ip: string | null
  requestId: string | null
}

/** From where something is done. */
export interface Origin {
  /** Null where it came by e-mail. */
  ip: string | null
  requestId: string
}

export function auditActorOf(actor: Actor, caller: Origin): AuditActor {
  const name = `${actor.firstName} ${actor.lastName}`
  return {
    type: actor.population,
    id: actor.id,
    name,
    ip: caller.ip?.slice(0, 45) ?? null,
    requestId: caller.requestId
  }
}

/** Somebody who acts without a session: at the login, with a reset link. */
export function auditActorOfAccount(
  account: { population: 'client' | 'staff'; id: number; first_name: string; last_name: string },
  caller: Origin
): AuditActor {
  const name = `${account.first_name} ${account.last_name}`
  return {
    type: account.population,
    id: account.id,
    name,
    ip: caller.ip?.slice(0, 45) ?? null,
    requestId: caller.requestId
  }
}

/** The service itself: jobs, commands. */
export const system: AuditActor = { type: 'system', id: null, name: 'Deskline', ip: null, requestId: null }
