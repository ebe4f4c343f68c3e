import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Locale } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { articleData, articleView } from '../article-schemas.ts'
import { ArticleNotFound, TextNotFound } from '../articles.ts'
import { archiveArticle as archive } from '../publish-articles.ts'

/** Takes an article out of the help centre, or only its text in one language. */
export const archiveArticle = endpoint({
  path: '/api/admin/kb/articles/archive',
  aliases: ['/api/admin/kb/articles/:id/archive'],
  summary: 'Archive an article, or take back its text in one language',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({
    id: Id(12),
    locale: Type.Optional({
      ...Locale,
      description: 'Only this language is taken back; with the last published one the article is archived.'
    }),
    expected_version: ExpectedVersion
  }),
  data: articleData,
  errors: [ArticleNotFound, TextNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    return { message: 'Article archived', data: { article: articleView(await archive(services, actor, caller, body)) } }
  }
})
