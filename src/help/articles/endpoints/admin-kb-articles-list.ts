import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { articleStates } from '../../../core/tables/knowledge-base.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { BooleanInput, Id, Locale, OneOf, Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { ListedArticleView, listedArticleView } from '../article-schemas.ts'
import { listArticles as articlesOf } from '../list-articles.ts'
import { sightOf } from '../visibility.ts'

const limits = { fallback: 50, max: 200 }

/** All articles, drafts too, the last changed first: those of a category and all below it, or with these words in a title or text. */
export const listArticles = endpoint({
  path: '/api/admin/kb/articles/list',
  aliases: ['/api/admin/kb/articles'],
  summary: 'List articles of the knowledge base',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  body: Type.Object({
    state: Type.Optional(OneOf(articleStates)),
    category_id: Type.Optional(Id(2)),
    search: Type.Optional({ ...Text(255, 'E-042'), description: 'A part of a title, or words of a text.' }),
    locale: Type.Optional({ ...Locale, description: 'Only articles with a text in this language.' }),
    not_helpful: Type.Optional({
      ...BooleanInput(0),
      description: '1: only those that fewer than 60 % of at least five readers call helpful.'
    }),
    publishing_asked: Type.Optional({
      ...BooleanInput(0),
      description: '1: only those that somebody asks to be published.'
    }),
    ...pageFields(limits)
  }),
  data: Type.Object({ ...pagedFields, articles: Type.Array(ListedArticleView) }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const sight = sightOf(actor, (await settingsOf(services.db)).settings, body.locale)
    const filter = { ...body, isUnhelpful: body.not_helpful === 1, isAskedFor: body.publishing_asked === 1 }
    const { articles, total } = await articlesOf(services.db, sight, filter, page)
    return {
      message: 'Articles',
      data: { ...paged(articles, total, page), articles: articles.map(listedArticleView) }
    }
  }
})
