import type { NamedActor } from '../actor.ts'
import type { ActorType } from '../tables/columns.ts'

/** Who did something, and from where, as the log records it. `name`: at that time. */
export interface AuditActor {
  type: ActorType
  id: number | null
  name: string
  ip: string | null
  requestId: string | null
  /** Nobody is notified by e-mail of what they do, for example of what an automatic mail causes. */
  isSilent?: boolean
}

/** The source of a request. */
export interface Origin {
  /** Null if it came by e-mail. */
  ip: string | null
  requestId: string | null
  isSilent?: boolean
  /** When it came, if it has waited since: an e-mail that was read later. */
  receivedAt?: Date
}

/** The actor and the source of the request. Jobs and commands have no source. An API token is named beside its owner. */
export function auditActorOf(
  { population: type, id, firstName, lastName, token }: NamedActor,
  caller?: Origin
): AuditActor {
  // Nobody can be called as if a token of somebody else had acted.
  const owner = `${firstName} ${lastName}`.trim().replaceAll(byToken, ',\u00a0by ')
  const by = token ? `${byToken}${token.name}` : ''
  const name = `${owner.slice(0, longestName - by.length)}${by}`
  const { ip = null, requestId = null, isSilent = false } = caller ?? {}
  return { type, id, name, ip: ip?.slice(0, 45) ?? null, requestId, isSilent }
}

/** That the log has room for. */
const longestName = 210
const byToken = ', by '

/** The API token by which somebody acted, from a name that the log has recorded; null if they acted themselves. */
export function tokenOfName(name: string): string | null {
  const at = name.indexOf(byToken)
  return at < 0 ? null : name.slice(at + byToken.length)
}

/** Their own name, from the same. */
export function ownerOfName(name: string): string {
  return name.split(byToken, 1)[0]!
}

/** Who acted, as e-mails write it in any language: “Grace Hopper (Nightly export)”. */
export function nameInEmails({ actor_type, actor_name: name }: { actor_type: ActorType; actor_name: string }): string {
  const token = actor_type === 'staff' ? tokenOfName(name) : null
  return token === null ? name : `${ownerOfName(name)} (${token})`
}

/** The same for somebody who acts without a session, for example at the login or with a reset link. */
export function auditActorOfAccount(
  account: { population: 'client' | 'staff'; id: number; first_name: string; last_name: string },
  caller: Origin
): AuditActor {
  const { population, id, first_name: firstName, last_name: lastName } = account
  return auditActorOf({ population, id, firstName, lastName }, caller)
}
