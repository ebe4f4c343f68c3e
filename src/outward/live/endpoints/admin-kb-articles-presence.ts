import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { ArticleNotFound } from '../../../help/articles/articles.ts'
import { Id, OneOf } from '../../../kit/schemas.ts'
import { ArticlePresenceView, articlePresenceStates, reportArticlePresence } from '../presence.ts'
import { presenceChanged } from '../streams.ts'

/** Reports that the caller is at an article, which is valid for 30 seconds, or has left it. Returns who is there now, as streams tell as `article_presence`. */
export const articlePresence = endpoint({
  path: '/api/admin/kb/articles/presence',
  aliases: ['/api/admin/kb/articles/:id/presence'],
  summary: 'Set your presence at an article: viewing, writing or away',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  body: Type.Object({ id: Id(12), state: OneOf(articlePresenceStates) }),
  synonyms: { article_id: 'id' },
  data: ArticlePresenceView,
  errors: [ArticleNotFound],
  async handle({ body, actor, services }) {
    const data = await reportArticlePresence(services.db, actor, body.id, body.state)
    presenceChanged(services)
    return { message: 'Presence noted', data }
  }
})
