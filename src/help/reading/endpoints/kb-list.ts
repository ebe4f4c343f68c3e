import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { sightOf } from '../../articles/visibility.ts'
import { withPaths } from '../article-addresses.ts'
import { readableArticles, readableCategories } from '../read-articles.ts'
import {
  AskedLocale,
  askedLocale,
  ReadCategoryView,
  ReadListingView,
  readCategoryView,
  readListingView
} from '../reading-schemas.ts'

const limits = { fallback: 100, max: 200 }

/** What the caller may read: the categories in which there is something, and the articles by title, of one category with all below it or of all. */
export const listReadable = endpoint({
  path: '/api/kb/list',
  summary: 'List the articles that the caller may read, and their categories',
  access: 'optional',
  onlyReads: true,
  body: Type.Object({ locale: AskedLocale, category_id: Type.Optional(Id(2)), ...pageFields(limits) }),
  data: Type.Object({
    locale: OutputText('en'),
    categories: Type.Array(ReadCategoryView),
    ...pagedFields,
    articles: Type.Array(ReadListingView)
  }),
  async handle({ body, actor, services: { db } }) {
    const { settings } = await settingsOf(db)
    const locale = askedLocale(body.locale, settings)
    const sight = sightOf(actor, settings, locale)
    const page = pageOf(body, limits)
    const categories = await readableCategories(db, sight)
    // A category in which the caller sees nothing is none (K3).
    const isKnown = body.category_id === undefined || categories.some(({ id }) => id === body.category_id)
    const { articles, total } = isKnown
      ? await readableArticles(db, sight, body.category_id, page)
      : { articles: [], total: 0 }
    const placed = await withPaths(db, articles)
    return {
      message: 'Articles',
      data: {
        locale,
        categories: categories.map(readCategoryView),
        ...paged(articles, total, page),
        articles: placed.map(article => readListingView(article, locale))
      }
    }
  }
})
