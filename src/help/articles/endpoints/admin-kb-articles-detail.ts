import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { Id } from '../../../kit/schemas.ts'
import { feedbackOf } from '../article-feedback.ts'
import { linkedTickets } from '../article-links.ts'
import { ArticleView, articleView, FeedbackView, feedbackView, LinkedTicketView } from '../article-schemas.ts'
import { ArticleNotFound, articleWith } from '../articles.ts'

/** An article with its latest texts, what its readers have said, and the tickets that link it, as far as the caller sees them (K7). */
export const showArticle = endpoint({
  path: '/api/admin/kb/articles/detail',
  aliases: ['/api/admin/kb/articles/:id', '/api/admin/kb/articles/:id/detail'],
  summary: 'Show an article of the knowledge base with its latest texts',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  body: Type.Object({ id: Id(12) }),
  data: Type.Object({ article: ArticleView, feedback: FeedbackView, tickets: Type.Array(LinkedTicketView) }),
  errors: [ArticleNotFound],
  async handle({ body: { id }, actor, services }) {
    const article = await articleWith(services.db, id)
    const tickets = await linkedTickets(services.db, actor, [id])
    const feedback = feedbackView(await feedbackOf(services.db, id))
    return { message: 'Article', data: { article: articleView(article), feedback, tickets } }
  }
})
