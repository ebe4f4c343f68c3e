import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { ArticleNotFound } from '../articles.ts'
import { ArticleNotArchived, deleteArticle as removeArticle } from '../publish-articles.ts'

export const deleteArticle = endpoint({
  path: '/api/admin/kb/articles/delete',
  aliases: ['/api/admin/kb/articles/:id/delete'],
  summary: 'Delete an archived article for good, with its versions and addresses',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({ id: Id(12), expected_version: ExpectedVersion }),
  errors: [ArticleNotFound, ArticleNotArchived, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeArticle(services, actor, caller, body)
    return { message: 'Article deleted' }
  }
})
