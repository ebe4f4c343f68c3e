import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Rating } from '../../core/tables/csat.ts'
import type { Caller } from '../../kit/caller.ts'
import { secondsAfter } from '../../lib/time.ts'
import { creditedFor } from './credited.ts'
import { changeSeconds, RatingClosed, type Survey, SurveyNotFound, surveyView, surveyWithToken } from './surveys.ts'

/** What a client says. Without a comment the one that they wrote before stays. */
export interface Given {
  rating: Rating
  comment?: string | null
}

/** Rates by the token of an e-mail. Throws `SurveyNotFound`, `RatingClosed`, `TooManyAttempts`. */
export async function rateByToken(services: Services, token: string, given: Given, caller: Caller) {
  await rate(services, await surveyWithToken(services, token, caller.ip), given, caller)
  return surveyView(await surveyWithToken(services, token, caller.ip))
}

/**
 * Notes how satisfied the client of a survey is; for seven days they may say otherwise, and the last word counts (Q3). Throws `RatingClosed`,
 * `SurveyNotFound` if it is gone meanwhile.
 */
export async function rate(services: Services, survey: Survey, given: Given, caller: Caller): Promise<void> {
  await act(services, system, async act => {
    const { db, now } = act
    const [locked] = await lockedSurvey(db, { id: survey.id })
    if (!locked) throw SurveyNotFound()
    if (locked.rated_at && secondsAfter(locked.rated_at, changeSeconds) < now) throw RatingClosed()
    const comment = given.comment === undefined ? locked.comment : given.comment?.trim() || null
    if (locked.rating === given.rating && locked.comment === comment) return
    const credited =
      locked.credited_staff_id ?? (await creditedFor(db, { ticket: survey.ticket_id, closedAt: locked.closed_at }))
    await storeRating(db, {
      id: survey.id,
      rating: given.rating,
      comment,
      credited,
      ratedAt: locked.rated_at ?? now,
      changedAt: locked.rated_at ? now : null
    })
    const [client] = await clientOf(db, { ticket: survey.ticket_id })
    act.happened(
      {
        kind: 'csat.rated',
        ticket: survey.ticket_id,
        before: { rating: locked.rating },
        after: { survey_id: survey.id, rating: given.rating, ...(comment === null ? {} : { has_comment: true }) }
      },
      auditActorOfAccount({ ...client!, population: 'client' }, caller)
    )
  })
}

const lockedSurvey = prepared((db, p: { id: number }) =>
  db
    .selectFrom('csat_surveys')
    .where('id', '=', p.id)
    .select(['rating', 'comment', 'rated_at', 'credited_staff_id', 'closed_at'])
    .forUpdate()
)

const clientOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', p.ticket)
    .select(['clients.id', 'first_name', 'last_name'])
)

interface Rated {
  id: number
  rating: Rating
  comment: string | null
  credited: number | null
  ratedAt: Date
  changedAt: Date | null
}

const storeRating = prepared((db, p: Rated) =>
  db.updateTable('csat_surveys').where('id', '=', p.id).set({
    rating: p.rating,
    comment: p.comment,
    credited_staff_id: p.credited,
    rated_at: p.ratedAt,
    changed_at: p.changedAt
  })
)
