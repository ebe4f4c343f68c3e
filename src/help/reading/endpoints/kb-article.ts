import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { MissingFields } from '../../../kit/errors.ts'
import { Id, Text } from '../../../kit/schemas.ts'
import { ArticleNotFound } from '../../articles/articles.ts'
import { sightOf } from '../../articles/visibility.ts'
import { withPaths } from '../article-addresses.ts'
import { readableArticle } from '../read-articles.ts'
import { AskedLocale, askedLocale, ReadArticleView, readArticleView } from '../reading-schemas.ts'

/** An article by its id, or by an address that it has or had. What the caller may not see does not exist (K3). */
export const readArticle = endpoint({
  path: '/api/kb/article',
  summary: 'Read an article',
  access: 'optional',
  onlyReads: true,
  body: Type.Object({
    id: Type.Optional(Id(12)),
    slug: Type.Optional(Text(120, 'what-e-042-means')),
    locale: AskedLocale
  }),
  synonyms: { article_id: 'id' },
  data: Type.Object({ article: ReadArticleView }),
  errors: [ArticleNotFound],
  async handle({ body, actor, services: { db } }) {
    if (body.id === undefined && body.slug === undefined) {
      throw MissingFields({ message: 'Missing required fields: id or slug', errors: ['id', 'slug'] })
    }
    const { settings } = await settingsOf(db)
    const locale = askedLocale(body.locale, settings)
    const [article] = await withPaths(db, [await readableArticle(db, sightOf(actor, settings, locale), body)])
    return { message: 'Article', data: { article: readArticleView(article!, locale) } }
  }
})
