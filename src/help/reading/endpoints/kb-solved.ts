import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { BooleanInput, Id, Locale } from '../../../kit/schemas.ts'
import { ArticleNotFound } from '../../articles/articles.ts'
import { answerSolved } from '../feedback.ts'

/** "This answered it": the only thing that counts as solved (K8, K13). */
export const saySolved = endpoint({
  path: '/api/kb/solved',
  summary: 'Say that an article answered the question, or take that back',
  access: 'optional',
  about: 'caller',
  body: Type.Object({
    article_id: Id(12),
    locale: Locale,
    is_solved: Type.Optional({ ...BooleanInput(1), description: '0: it did not.' })
  }),
  errors: [ArticleNotFound, TooManyAttempts],
  async handle({ body: { is_solved, ...given }, actor, services, caller }) {
    await answerSolved(services, { actor, caller }, { ...given, isSolved: is_solved !== 0 })
    return { message: 'Thank you' }
  }
})
