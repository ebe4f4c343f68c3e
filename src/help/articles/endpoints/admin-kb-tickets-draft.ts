import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { draftFromTicket } from '../draft-from-ticket.ts'
import { TicketDraftView } from '../ticket-article-schemas.ts'

/** A first draft of an article from a ticket's thread, with the names, addresses and numbers in it that have to go. Nothing is stored. */
export const draftArticleFromTicket = endpoint({
  path: '/api/admin/kb/tickets/draft',
  summary: 'Get a first draft of an article from the thread of a ticket',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({ ticket_id: TicketRef }),
  data: Type.Object({ draft: TicketDraftView }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    return { message: 'A draft', data: { draft: await draftFromTicket(services.db, actor, body.ticket_id) } }
  }
})
