import type { Actor } from '../../core/actor.ts'
import { admits, restrictionOf } from '../../core/endpoint.ts'

/** Staff who may see events at all: those who may do something with tickets. */
export const eventReaders = {
  anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete']
} as const

/** Whether a listener would be allowed to connect now. */
export function mayStreamEvents(actor: Actor): boolean {
  if (actor.population === 'client') return true
  return restrictionOf(actor) === undefined && admits(eventReaders, actor)
}
