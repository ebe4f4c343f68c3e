import type { StaffActor } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import { placeholderValuesOf } from '../actions/placeholder-values.ts'
import { filled } from '../actions/placeholders.ts'
import { visibleTicketNow } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { macroOf } from './macros.ts'

/**
 * Fills the placeholders of a canned reply for a reply of the actor to this ticket. Throws `CannedReplyNotFound`, and `TicketNotFound` for
 * a ticket that the actor does not see in the queue.
 */
export async function renderCannedReply(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: StaffActor,
  { id, ticket: ref }: { id: number; ticket: TicketRef }
): Promise<{ text: string; ticket_id: number }> {
  const { reply_text } = await macroOf(db, actor, 'canned_reply', id)
  const ticket = await visibleTicketNow(db, deskVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  const values = await placeholderValuesOf(db, ticket.id, actor, [reply_text], {
    isForClient: true,
    now: clock.now()
  })
  return { ticket_id: ticket.id, text: filled(reply_text, values).text }
}
