import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { BooleanInput, Id, Locale, LongText } from '../../../kit/schemas.ts'
import { ArticleNotFound } from '../../articles/articles.ts'
import { answerFeedback } from '../feedback.ts'

/** Says whether an article helped: one answer for each reader and article, which may be changed. */
export const giveFeedback = endpoint({
  path: '/api/kb/feedback',
  summary: 'Say whether an article helped',
  access: 'optional',
  about: 'caller',
  body: Type.Object({
    article_id: Id(12),
    locale: Locale,
    is_helpful: BooleanInput(),
    comment: Type.Optional(LongText(2_000, 'The second step is missing.'))
  }),
  errors: [ArticleNotFound, TooManyAttempts],
  async handle({ body: { is_helpful, comment = null, ...of }, actor, services, caller }) {
    await answerFeedback(services, { actor, caller }, { ...of, isHelpful: is_helpful === 1, comment })
    return { message: 'Thank you' }
  }
})
