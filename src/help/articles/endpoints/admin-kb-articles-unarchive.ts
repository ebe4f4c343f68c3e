import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { articleData, articleView } from '../article-schemas.ts'
import { ArticleNotFound } from '../articles.ts'
import { unarchiveArticle as unarchive } from '../publish-articles.ts'

export const unarchiveArticle = endpoint({
  path: '/api/admin/kb/articles/unarchive',
  aliases: ['/api/admin/kb/articles/:id/unarchive'],
  summary: 'Take an archived article back: what was published is published again',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({ id: Id(12), expected_version: ExpectedVersion }),
  data: articleData,
  errors: [ArticleNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const article = await unarchive(services, actor, caller, body)
    return { message: 'Article taken back', data: { article: articleView(article) } }
  }
})
