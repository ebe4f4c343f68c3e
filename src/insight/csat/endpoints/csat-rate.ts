import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { rateByToken } from '../rate.ts'
import { CommentInput, RatingClosed, RatingInput, SurveyNotFound, SurveyToken, SurveyView } from '../surveys.ts'

/** Rates a closed ticket by the token of the e-mail; for seven days the rating can be changed (Q3). */
export const rateByLink = endpoint({
  path: '/api/csat/rate',
  summary: 'Rate a closed ticket by the link of an e-mail',
  access: 'public',
  body: Type.Object({ token: SurveyToken, rating: RatingInput, comment: CommentInput }),
  data: SurveyView,
  errors: [TooManyAttempts, SurveyNotFound, RatingClosed],
  async handle({ body, caller, services }) {
    const { token, ...given } = body
    return { message: 'Thank you', data: await rateByToken(services, token, given, caller) }
  }
})
