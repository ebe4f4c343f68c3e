import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { removeTimer, TimerNotFound } from '../remove-timer.ts'

/** Takes a timer of a rule that waits for a ticket off it (`tickets/automation` lists them), once: what begins anew sets it again. */
export const deleteTicketTimer = endpoint({
  path: '/api/admin/tickets/timers/delete',
  aliases: ['/api/admin/tickets/:id/timers/delete'],
  summary: 'Take a waiting timer of a rule off a ticket',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['id', 'ticket_id'] },
  body: Type.Object({ id: TicketRef, rule_id: Id(7) }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), rule_id: Id(7) }),
  errors: [TicketNotFound, TicketMerged, TimerNotFound],
  async handle({ body: { id: ref, rule_id }, actor, caller, services }) {
    const ticket_id = await removeTimer(services, { actor, caller, ref }, rule_id)
    return { message: 'Timer taken off', data: { ticket_id, rule_id } }
  }
})
