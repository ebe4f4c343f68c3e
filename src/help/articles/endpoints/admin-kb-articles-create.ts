import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Nullable } from '../../../kit/schemas.ts'
import { ArticleTexts, AudienceInput, articleData, articleView } from '../article-schemas.ts'
import { CategoryNotFound } from '../categories.ts'
import { createArticle as addArticle, TooManyArticles } from '../change-articles.ts'

/** Adds an article, which is a draft until its first text is published (K12). */
export const createArticle = endpoint({
  path: '/api/admin/kb/articles/create',
  summary: 'Create an article of the knowledge base as a draft',
  access: { anyOf: ['tickets.reply'] },
  about: 'caller',
  body: Type.Object({
    category_id: Id(2),
    audience: Type.Optional({ ...Nullable(AudienceInput), description: 'null: that of its category.' }),
    texts: ArticleTexts
  }),
  status: 201,
  data: articleData,
  errors: [CategoryNotFound, TooManyArticles],
  async handle({ body: { audience = null, ...body }, actor, caller, services }) {
    const article = await addArticle(services, actor, caller, { ...body, audience })
    return { message: 'Article created', data: { article: articleView(article) } }
  }
})
