import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { BooleanInput } from '../../../kit/schemas.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { ticketArticlesData, ticketArticlesView } from '../ticket-article-schemas.ts'
import { setNeedsArticle } from '../ticket-articles.ts'

/** Says that there ought to be an article about what a ticket asks. */
export const needArticle = endpoint({
  path: '/api/admin/kb/tickets/needs-article',
  summary: 'Say that a ticket needs an article, or that it does not',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['ticket_id'] },
  body: Type.Object({ ticket_id: TicketRef, is_needed: BooleanInput(1) }),
  data: ticketArticlesData,
  errors: [TicketNotFound],
  async handle({ body, actor, caller, services }) {
    const { ticket_id, is_needed } = body
    const linked = await setNeedsArticle(services, actor, caller, { ticket_id, isNeeded: is_needed === 1 })
    return { message: 'Articles of the ticket', data: ticketArticlesView(linked) }
  }
})
