import type { Actor } from '../../core/actor.ts'
import { admits, restrictionOf } from '../../core/endpoint.ts'

/** Staff who may see events at all: those who may do something with tickets. */
export const eventReaders = {
  anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete']
} as const

/** Those and whoever manages articles: without a ticket permission they hear of articles alone. */
export const streamReaders = { anyOf: [...eventReaders.anyOf, 'departments.manage'] } as const

/** Whether a listener would be allowed to connect now. */
export function mayStreamEvents(actor: Actor): boolean {
  if (actor.population === 'client') return true
  return restrictionOf(actor) === undefined && admits(streamReaders, actor)
}

/** Whether a member of staff hears of tickets, as far as they see them. */
export function mayHearOfTickets(actor: Actor): boolean {
  return admits(eventReaders, actor)
}
