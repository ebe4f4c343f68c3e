import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { countArticleSearch } from '../../../core/rate-limits/use-limits.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { LongText, Text } from '../../../kit/schemas.ts'
import { sightOf } from '../../articles/visibility.ts'
import { withPaths } from '../article-addresses.ts'
import { AskedLocale, askedLocale, SuggestedView, suggestedView } from '../reading-schemas.ts'
import { suggestArticles } from '../suggest-articles.ts'

/** At most three articles that may answer what is being written (K8). What is typed is neither stored nor logged. */
export const suggestKnowledgeBase = endpoint({
  path: '/api/kb/suggest',
  summary: 'Suggest articles for a ticket that is being written',
  access: 'optional',
  onlyReads: true,
  body: Type.Object({
    subject: Text(255, 'My inverter shows E-042'),
    message: Type.Optional({
      ...LongText(10_000, 'It switches off at noon.'),
      description: 'Its first 500 letters count.'
    }),
    locale: AskedLocale
  }),
  data: Type.Object({ articles: Type.Array(SuggestedView) }),
  errors: [TooManyAttempts],
  async handle({ body, actor, services, caller }) {
    countArticleSearch(services, caller.ip)
    const { settings } = await settingsOf(services.db)
    const locale = askedLocale(body.locale, settings)
    const articles = await suggestArticles(services.db, sightOf(actor, settings, locale), body)
    const placed = await withPaths(services.db, articles)
    return {
      message: 'Suggestions',
      data: { articles: placed.map(article => ({ ...suggestedView(article, locale), audience: article.audience })) }
    }
  }
})
