import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Locale } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { articleData, articleView } from '../article-schemas.ts'
import { ArticleNotFound, TextNotFound } from '../articles.ts'
import { ArticleArchived, publishArticle as publish } from '../publish-articles.ts'

/** Publishes the latest text in a language, or in all of them: each is published for itself (K12). */
export const publishArticle = endpoint({
  path: '/api/admin/kb/articles/publish',
  aliases: ['/api/admin/kb/articles/:id/publish'],
  summary: 'Publish the latest text of an article',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({
    id: Id(12),
    locale: Type.Optional({ ...Locale, description: 'Without one, all languages are published.' }),
    expected_version: ExpectedVersion
  }),
  data: articleData,
  errors: [ArticleNotFound, TextNotFound, ArticleArchived, VersionConflict],
  async handle({ body, actor, caller, services }) {
    return {
      message: 'Article published',
      data: { article: articleView(await publish(services, actor, caller, body)) }
    }
  }
})
