import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { articleData, articleView } from '../article-schemas.ts'
import { ArticleNotFound } from '../articles.ts'
import { askForPublishing as ask, NothingToPublish } from '../ask-for-publishing.ts'
import { ArticleArchived } from '../publish-articles.ts'

/** Marks a draft, so that those who may publish see that its author asks for it. */
export const askForPublishing = endpoint({
  path: '/api/admin/kb/articles/ask-publishing',
  aliases: ['/api/admin/kb/articles/:id/ask-publishing'],
  summary: 'Ask for an article to be published',
  access: { anyOf: ['tickets.reply'] },
  about: 'caller',
  body: Type.Object({ id: Id(12), expected_version: ExpectedVersion }),
  data: articleData,
  errors: [ArticleNotFound, ArticleArchived, NothingToPublish, VersionConflict],
  async handle({ body, actor, caller, services }) {
    return {
      message: 'Publishing asked for',
      data: { article: articleView(await ask(services, actor, caller, body)) }
    }
  }
})
