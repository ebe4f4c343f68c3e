import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { ArticleNotFound } from '../articles.ts'
import { ticketArticlesData, ticketArticlesView } from '../ticket-article-schemas.ts'
import { setSolvedBy } from '../ticket-articles.ts'

/** Says that an article, which may be a draft, solved a ticket. The ticket then needs none any more. */
export const solveTicketByArticle = endpoint({
  path: '/api/admin/kb/tickets/solved-by',
  summary: 'Say which article solved a ticket, or take that back',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['ticket_id'] },
  body: Type.Object({
    ticket_id: TicketRef,
    article_id: Id(12),
    is_solved: Type.Optional({ ...BooleanInput(1), description: '0: it did not.' })
  }),
  data: ticketArticlesData,
  errors: [TicketNotFound, ArticleNotFound],
  async handle({ body: { is_solved, ...given }, actor, caller, services }) {
    const linked = await setSolvedBy(services, actor, caller, { ...given, isSolved: is_solved !== 0 })
    return { message: 'Articles of the ticket', data: ticketArticlesView(linked) }
  }
})
