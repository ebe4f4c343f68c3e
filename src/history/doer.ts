import type { Actor } from '../actor.ts'
import type { DoerType } from '../platform/db/tables-desk.ts'

/** Who does something, and from where, as it is recorded: the name as it was then. */
export interface Doer {
  type: DoerType
  id: number | null
  name: string
  ip: string | null
  requestId: string | null
}

export function doerOf(actor: Actor, caller: { ip: string; requestId: string }): Doer {
  const name = `${actor.firstName} ${actor.lastName}`
  return { type: actor.population, id: actor.id, name, ip: caller.ip.slice(0, 45), requestId: caller.requestId }
}

/** The service itself: jobs, commands. */
export const system: Doer = { type: 'system', id: null, name: 'Deskline', ip: null, requestId: null }
