import type { Services } from '../../core/services.ts'
import { type Rating, ratings } from '../../core/tables/csat.ts'
import type { Language } from '../../core/wording/languages.ts'
import type { Caller } from '../../kit/caller.ts'
import { Failure } from '../../kit/errors.ts'
import { rateByToken } from './rate.ts'
import { ratingPage } from './rating-page.ts'
import { RatingClosed, surveyWithToken } from './surveys.ts'

/** What somebody brings to the page behind a rating link. */
interface Visit {
  token: string
  rating: unknown
  caller: Caller
  language: Language
}

/** The page that asks; what the link says is chosen already. Throws `SurveyNotFound`, `TooManyAttempts`. */
export async function askingPage(services: Services, { token, rating, caller, language }: Visit): Promise<string> {
  const survey = await surveyWithToken(services, token, caller.ip)
  return ratingPage({ survey, chosen: ratingIn(rating), language, ...pageOf(services) })
}

/** Votes, and returns the page that says thank you, or why not. Throws `SurveyNotFound`, `TooManyAttempts`. */
export async function votingPage(services: Services, visit: Visit & { comment: unknown }): Promise<string> {
  const { token, caller, language } = visit
  const survey = await surveyWithToken(services, token, caller.ip)
  const rating = ratingIn(visit.rating)
  const shown = { survey, chosen: rating, language, ...pageOf(services) }
  if (!rating) return ratingPage({ ...shown, state: 'unchosen' })
  const comment = typeof visit.comment === 'string' ? visit.comment.slice(0, 2_000) : null
  try {
    await rateByToken(services, token, { rating, comment }, caller)
  } catch (error) {
    if (error instanceof Failure && error.kind === RatingClosed) return ratingPage({ ...shown, state: 'closed' })
    throw error
  }
  return ratingPage({ ...shown, survey: { ...survey, comment }, state: 'thanks' })
}

function pageOf({ config, clock }: Services) {
  return { desk: config.BASE_URL, now: clock.now() }
}

function ratingIn(given: unknown): Rating | undefined {
  return ratings.find(rating => rating === given)
}
