import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { countArticleSearch } from '../../../core/rate-limits/use-limits.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { audiences } from '../../../core/tables/knowledge-base.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Flag, OneOf, Text } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { pageOf } from '../../../lib/page.ts'
import { isNarrower } from '../../articles/categories.ts'
import { sightOf } from '../../articles/visibility.ts'
import { withPaths } from '../article-addresses.ts'
import { AskedLocale, askedLocale, FoundArticleView, suggestedView } from '../reading-schemas.ts'
import { searchArticles } from '../search-articles.ts'

const limits = { fallback: 20, max: 50 }

/**
 * The articles with these words that the caller may read, best first. Where more than 500 have them, some 500 are ranked: those with the words in the title
 * and the newest; `is_more` is 1 then. Staff may try it as a client or as nobody would.
 */
export const searchKnowledgeBase = endpoint({
  path: '/api/kb/search',
  summary: 'Search the articles that the caller may read',
  access: 'optional',
  onlyReads: true,
  body: Type.Object({
    search: Text(255, 'earth fault'),
    locale: AskedLocale,
    as: Type.Optional({
      ...OneOf(audiences, 'clients'),
      description: 'What this audience would find, if it is wider.'
    }),
    ...pageFields(limits)
  }),
  synonyms: { query: 'search' },
  data: Type.Object({
    ...pagedFields,
    is_more: { ...Flag(0), description: '1: more articles have the words than `total`.' },
    articles: Type.Array(FoundArticleView)
  }),
  errors: [TooManyAttempts],
  async handle({ body, actor, services, caller }) {
    countArticleSearch(services, caller.ip)
    const { settings } = await settingsOf(services.db)
    const locale = askedLocale(body.locale, settings)
    const sight = sightOf(actor, settings, locale)
    const audience = body.as && isNarrower(sight.audience, body.as) ? body.as : sight.audience
    const page = pageOf(body, limits)
    const { articles, total, isMore } = await searchArticles(services.db, { ...sight, audience }, body.search, page)
    const placed = await withPaths(services.db, articles)
    return {
      message: 'Articles',
      data: {
        ...paged(articles, total, page),
        is_more: bit(isMore),
        articles: placed.map(article => ({
          ...suggestedView(article, locale),
          audience: article.audience,
          snippet: article.snippet
        }))
      }
    }
  }
})
