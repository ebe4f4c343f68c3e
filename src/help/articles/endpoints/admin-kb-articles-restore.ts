import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Locale } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { articleData, articleView } from '../article-schemas.ts'
import { ArticleNotFound } from '../articles.ts'
import { ArticleVersionNotFound, restoreVersion } from '../versions.ts'

/** The text of a former version becomes the latest one, as a draft: nothing is published by it, and no version is lost. */
export const restoreArticle = endpoint({
  path: '/api/admin/kb/articles/restore',
  aliases: ['/api/admin/kb/articles/:id/restore'],
  summary: 'Make a former version of a text the latest one, as a draft',
  access: { anyOf: ['tickets.reply'] },
  about: 'caller',
  body: Type.Object({
    id: Id(12),
    locale: Locale,
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [2] }),
    expected_version: ExpectedVersion
  }),
  data: articleData,
  errors: [ArticleNotFound, ArticleVersionNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const article = await restoreVersion(services, actor, caller, body)
    return { message: 'Version restored', data: { article: articleView(article) } }
  }
})
