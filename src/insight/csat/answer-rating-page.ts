import { type Rating, ratings } from '../../core/tables/csat.ts'
import type { PageDesk } from '../../help/pages/layout.ts'
import type { Caller } from '../../kit/caller.ts'
import { Failure } from '../../kit/errors.ts'
import type { Html } from '../../kit/html.ts'
import { rateByToken } from './rate.ts'
import { goneRatingPage, ratingPage } from './rating-page.ts'
import { RatingClosed, SurveyNotFound, surveyWithToken } from './surveys.ts'

/** What somebody brings to the page behind a rating link. */
interface Visit {
  token: string
  rating: unknown
  caller: Caller
}

interface Answered {
  status: 200 | 404
  page: Html
}

/** The page that asks; what the link says is chosen already. Throws `TooManyAttempts`. */
export async function askingPage(desk: PageDesk, { token, rating, caller }: Visit): Promise<Answered> {
  return await unlessGone(desk, async () => {
    const survey = await surveyWithToken(desk.services, token, caller.ip)
    return ratingPage(desk, { survey, chosen: ratingIn(rating), now: desk.services.clock.now() })
  })
}

/** Votes, and returns the page that says thank you, or why not. Throws `TooManyAttempts`. */
export async function votingPage(desk: PageDesk, visit: Visit & { comment: unknown }): Promise<Answered> {
  return await unlessGone(desk, async () => {
    const { services } = desk
    const { token, caller } = visit
    const survey = await surveyWithToken(services, token, caller.ip)
    const rating = ratingIn(visit.rating)
    const shown = { survey, chosen: rating, now: services.clock.now() }
    if (!rating) return ratingPage(desk, { ...shown, state: 'unchosen' })
    const comment = typeof visit.comment === 'string' ? visit.comment.slice(0, 2_000) : null
    try {
      await rateByToken(services, token, { rating, comment }, caller)
    } catch (error) {
      if (error instanceof Failure && error.kind === RatingClosed)
        return ratingPage(desk, { ...shown, state: 'closed' })
      throw error
    }
    return ratingPage(desk, { ...shown, survey: { ...survey, comment }, state: 'thanks' })
  })
}

async function unlessGone(desk: PageDesk, make: () => Promise<Html>): Promise<Answered> {
  try {
    return { status: 200, page: await make() }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== SurveyNotFound) throw error
    return { status: 404, page: goneRatingPage(desk) }
  }
}

function ratingIn(given: unknown): Rating | undefined {
  return ratings.find(rating => rating === given)
}
