import type { ClientActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import type { GivenValues } from '../fields/judge-values.ts'
import { setFields } from '../fields/set-fields.ts'
import { clientFields } from '../fields/shown-fields.ts'
import { lockedTicket, replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { clientVisibility } from '../ticket/visibility.ts'
import { shownValues } from './required-fields.ts'

/** A client changes what they may write and the form of the ticket shows, of a merged ticket on its target. Throws `TicketNotFound`, `InvalidFields`. */
export async function setOwnFields(
  services: ActServices,
  actor: ClientActor,
  caller: Origin,
  ref: TicketRef,
  given: GivenValues
) {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const visibility = clientVisibility(actor)
    const target = await replyTarget(db, visibility, ref)
    if (!target) throw TicketNotFound()
    const { id } = await lockedTicket(db, visibility, target.id, undefined)
    await setFields(act, id, await shownValues(db, id, given), { by: 'client' })
    return { ticket_id: id, ...(await clientFields(db, id)) }
  })
}
