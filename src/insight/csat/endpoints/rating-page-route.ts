import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { type Rating, ratings } from '../../../core/tables/csat.ts'
import { type Language, languageAmong } from '../../../core/wording/languages.ts'
import { readBody } from '../../../kit/body/read-body.ts'
import { callerOf } from '../../../kit/caller.ts'
import { Failure } from '../../../kit/errors.ts'
import { tokenOf } from '../../../kit/link-page.ts'
import { smallPageHeaders } from '../../../kit/small-page.ts'
import { ratingPath } from '../due-surveys.ts'
import { rateByToken } from '../rate.ts'
import { goneRatingPage, ratingPage } from '../rating-page.ts'
import { RatingClosed, SurveyNotFound, surveyWithToken } from '../surveys.ts'

/**
 * The page behind the links of a rating e-mail. Opening it votes nothing, since mail scanners open every link: only its button does, by a POST (Q1).
 * It is a plain route, since it returns HTML.
 */
export function ratingPageRoute(app: FastifyInstance, services: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: ratingPath,
    handler: (request, reply) =>
      answer(services, request, reply, async language => {
        const survey = await surveyWithToken(services, tokenOf(request), callerOf(request).ip)
        return ratingPage(survey, ratingIn((request.query as { rating?: unknown }).rating), language)
      })
  })
  app.post(ratingPath, (request, reply) =>
    answer(services, request, reply, async language => {
      const { fields } = await readBody(
        request.raw,
        { maxBytes: 20_000, maxFiles: 0, maxFileBytes: 0, maxParts: 10 },
        undefined
      )
      const [token, caller] = [tokenOf(request), callerOf(request)]
      const survey = await surveyWithToken(services, token, caller.ip)
      const sent = (name: string) => fields.get(name)?.[0]?.value
      const rating = ratingIn(sent('rating'))
      if (!rating) return ratingPage(survey, undefined, language, 'unchosen')
      const written = sent('comment')
      const comment = typeof written === 'string' ? written.slice(0, 2_000) : null
      try {
        await rateByToken(services, token, { rating, comment }, caller)
      } catch (error) {
        if (error instanceof Failure && error.kind === RatingClosed)
          return ratingPage(survey, rating, language, 'closed')
        throw error
      }
      return ratingPage({ ...survey, comment }, rating, language, 'thanks')
    })
  )
}

/** In the language of the browser, else that of the desk. */
async function answer(
  { db }: Pick<Services, 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
  page: (language: Language) => Promise<string>
) {
  const language = languageAmong(request.headers['accept-language']) ?? (await settingsOf(db)).settings.language
  reply.headers(smallPageHeaders)
  try {
    return await reply.send(await page(language))
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== SurveyNotFound) throw error
    return await reply.code(404).send(goneRatingPage(language))
  }
}

function ratingIn(given: unknown): Rating | undefined {
  return ratings.find(rating => rating === given)
}
