import type { Act } from '../../core/acts/act.ts'
import type { EventOf } from '../../core/events/catalogue.ts'
import { addLink, oneCircleCheckAtATime, removeLink, tellOther } from '../links/link-tickets.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import { ChangedSince, UndoImpossible } from './undo-refusals.ts'

type Linked = Pick<EventOf<'ticket.linked'>['after'], 'link' | 'direction' | 'other'>

/** Takes away a link that was made by the change that is undone, and returns the event. Throws `ChangedSince`. */
export async function unlinkedByUndo(act: Act, ticket: LockedTicket, { link, other }: Linked) {
  const direction = other && (await removeLink(act.db, ticket, other, link))
  if (!other || !direction) throw ChangedSince()
  tellOther(act, 'ticket.unlinked', ticket, other, link, opposite(direction), 'undo')
  return { kind: 'ticket.unlinked' as const, before: { link, direction, other }, after: {} }
}

/** Brings a link back, and returns the event. Throws `ChangedSince`, `UndoImpossible`. */
export async function linkedByUndo(act: Act, ticket: LockedTicket, { link, direction, other }: Linked) {
  if (!other) throw ChangedSince()
  if (link === 'blocks') await oneCircleCheckAtATime(act.db)
  const [from, to] = direction === 'out' ? [ticket, other] : [other, ticket]
  if (await addLink(act, from, to, link)) throw UndoImpossible({ message: 'These tickets can no longer be linked so' })
  tellOther(act, 'ticket.linked', ticket, other, link, opposite(direction), 'undo')
  return { kind: 'ticket.linked' as const, after: { link, direction, other } }
}

function opposite(direction: 'out' | 'in'): 'out' | 'in' {
  return direction === 'out' ? 'in' : 'out'
}
