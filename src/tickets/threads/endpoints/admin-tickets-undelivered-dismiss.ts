import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { dismissUndelivered } from '../dismiss-undelivered.ts'

/**
 * Says that it is known which answers of a ticket came back: its row in the queue does not tell so any more, the thread and the mail log keep it. What
 * comes back later is told anew.
 */
export const dismissUndeliveredAnswers = endpoint({
  path: '/api/admin/tickets/undelivered/dismiss',
  summary: 'Dismiss that answers were not delivered',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ dismissed: Type.Integer({ minimum: 0, examples: [1] }) }),
  errors: [TicketNotFound, TicketMerged],
  async handle({ body, actor, caller, services }) {
    const dismissed = await dismissUndelivered(services, { actor, caller, ref: body.id })
    return { message: 'Dismissed', data: { dismissed } }
  }
})
