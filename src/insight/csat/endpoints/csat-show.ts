import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { SurveyNotFound, SurveyToken, SurveyView, surveyView, surveyWithToken } from '../surveys.ts'

/** What the link of a rating e-mail is about. It votes nothing: mail scanners open every link (Q1). */
export const showSurvey = endpoint({
  path: '/api/csat/show',
  summary: 'Show what a rating link is about',
  access: 'public',
  onlyReads: true,
  body: Type.Object({ token: SurveyToken }),
  data: SurveyView,
  errors: [TooManyAttempts, SurveyNotFound],
  async handle({ body, caller, services }) {
    return { message: 'Rating', data: surveyView(await surveyWithToken(services, body.token, caller.ip)) }
  }
})
