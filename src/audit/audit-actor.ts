import type { NamedActor } from '../actor.ts'
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
  requestId: string | null
}

/** Whoever acts, and from where, unless that is nowhere: a job, a command. */
export function auditActorOf({ population: type, id, firstName, lastName }: NamedActor, caller?: Origin): AuditActor {
  const name = `${firstName} ${lastName}`.trim()
  return { type, id, name, ip: caller?.ip?.slice(0, 45) ?? null, requestId: caller?.requestId ?? null }
}

/** Somebody who acts without a session: at the login, with a reset link. */
export function auditActorOfAccount(
  account: { population: 'client' | 'staff'; id: number; first_name: string; last_name: string },
  caller: Origin
): AuditActor {
  const { population, id, first_name: firstName, last_name: lastName } = account
  return auditActorOf({ population, id, firstName, lastName }, caller)
}
