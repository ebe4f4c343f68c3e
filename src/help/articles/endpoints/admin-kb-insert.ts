import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OneOf, OutputText } from '../../../kit/schemas.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { ArticleNotFound } from '../articles.ts'
import { ArticleForStaff, insertArticle } from '../insert-article.ts'

export const InsertedArticleView = Type.Object({
  id: Id(12),
  locale: OutputText('en'),
  title: OutputText('What E-042 means'),
  url: OutputText('https://support.example.com/help/en/inverters/what-e-042-means'),
  markdown: OutputText('It lost its **earth** for a moment.')
})

/** What to put into a reply or a note: the address of the article, and its text, in the client's language. An article for staff goes into notes alone (K7). */
export const insertIntoTicket = endpoint({
  path: '/api/admin/kb/insert',
  summary: 'Get an article to put into a reply or a note, which the ticket then links',
  access: { anyOf: ['tickets.reply'] },
  about: { tickets: ['ticket_id'] },
  body: Type.Object({ article_id: Id(12), ticket_id: TicketRef, as: OneOf(['reply', 'note'] as const) }),
  data: Type.Object({ article: InsertedArticleView }),
  errors: [TicketNotFound, ArticleNotFound, ArticleForStaff],
  async handle({ body, actor, caller, services }) {
    return { message: 'Article', data: { article: await insertArticle(services, actor, caller, body) } }
  }
})
