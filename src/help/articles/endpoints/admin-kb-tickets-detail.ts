import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { ticketArticlesData, ticketArticlesView } from '../ticket-article-schemas.ts'
import { articlesOfTicket } from '../ticket-articles.ts'

/** The articles that a ticket links: put into it, read before it was written, or its solution; and whether it needs one. */
export const showArticlesOfTicket = endpoint({
  path: '/api/admin/kb/tickets/detail',
  summary: 'Show the articles of a ticket, and whether it needs one',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  body: Type.Object({ ticket_id: TicketRef }),
  data: ticketArticlesData,
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    const linked = await articlesOfTicket(services.db, actor, body.ticket_id)
    return { message: 'Articles of the ticket', data: ticketArticlesView(linked) }
  }
})
