import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { countAll, networkLimits } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { DeskSettings } from '../../core/settings/registry.ts'
import { type Rating, ratings } from '../../core/tables/csat.ts'
import { failure } from '../../kit/errors.ts'
import { IsoTime, LongText, Nullable, OneOf, OutputText, Verbatim } from '../../kit/schemas.ts'
import { secondsAfter } from '../../lib/time.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'
import { creditedFor } from './credited.ts'

// Part of the digest: changing it would break the links in e-mails that were sent.
export const tokenPurpose = 'satisfaction'

export const SurveyNotFound = failure(
  404,
  'survey_not_found',
  'There is nothing to rate here any more. Thank you for wanting to tell us'
)
export const RatingClosed = failure(409, 'rating_closed', 'A rating can be changed for seven days')

export const SurveyToken = Verbatim(100, 'Yb1TzLqv0H2kqH8mXo9d3A')
export const RatingInput = OneOf(ratings)
export const CommentInput = Type.Optional(Nullable(LongText(2_000, 'Quick and kind, thank you')))

export const SurveyView = Type.Object({
  ticket_number: OutputText('TIC-482910'),
  subject: OutputText('The printer is on fire'),
  rating: Nullable(OneOf(ratings)),
  comment: Nullable(OutputText('Quick and kind, thank you')),
  can_change_until: Nullable(IsoTime())
})

/** The words by which a token of an e-mail is answered for (Q3): it is dead 30 days after it was sent. */
const tokenSeconds = 30 * 86_400
/** A rating may be changed for so long from the first one. */
export const changeSeconds = 7 * 86_400

const mostTries = 20
const minuteSeconds = 60

/** The survey with this token. Only tries with unknown ones count towards the limit. Throws `SurveyNotFound`, `TooManyAttempts`. */
export async function surveyWithToken(services: Services, token: string, ip: string): Promise<Survey> {
  const since = secondsAfter(services.clock.now(), -tokenSeconds)
  const [survey] = await byDigest(services.db, { digests: services.keys.digests(tokenPurpose, token), since })
  if (!survey) {
    await countAll(
      services,
      networkLimits(ip, { key: 'rating-by', kind: 'rating', most: mostTries, seconds: minuteSeconds })
    )
    throw SurveyNotFound({ errors: ['token'] })
  }
  return survey
}

export type Survey = Awaited<ReturnType<typeof byDigest>>[number]

export function surveyView({ ticket_number, subject, rating, comment, rated_at }: Survey): Static<typeof SurveyView> {
  const until = rated_at && secondsAfter(rated_at, changeSeconds).toISOString()
  return { ticket_number, subject, rating, comment, can_change_until: until }
}

/**
 * What the client of a closed ticket is asked in the portal (Q6): of its last closing, if they are asked at all. Before the delay is over the portal
 * asks already, but not what will never be asked (Q2); whom e-mails do not reach it asks alone.
 */
export async function surveyOfTicket(db: Db, ticket: number): Promise<Survey | undefined> {
  const [survey] = await lastOf(db, { ticket })
  if (!survey || survey.rating || survey.due_at === null) return survey
  const { settings } = await settingsOf(db)
  const isAsked = settings.csat_enabled === 1 && asksInDepartment(settings, survey.deptid)
  return isAsked && (await creditedFor(db, { ticket, closedAt: survey.closed_at })) !== null ? survey : undefined
}

/** Whether clients are asked about tickets of this department; none are named: of all. */
export function asksInDepartment({ csat_departments: chosen }: DeskSettings, deptid: number): boolean {
  return chosen.length === 0 || chosen.includes(deptid)
}

/** The portal needs no e-mail: it also asks whoever has not proven the address, and goes on showing what they have said. */
const askedInPortal = [sql.lit('rated' as const), sql.lit('unreachable' as const)]

const byDigest = prepared((db, p: { digests: readonly string[]; since: Date }) =>
  surveys(db)
    .where('token_digest', '=', sql<string>`any(${p.digests}::text[])`)
    .where('sent_at', '>', p.since)
    .where('tickets.trashed_at', 'is', null)
)

const lastOf = prepared((db, p: { ticket: number }) =>
  surveys(db)
    .where('csat_surveys.ticket_id', '=', p.ticket)
    .where('tickets.status', '=', sql.lit('Closed' as const))
    .where(({ or, eb }) => or([eb('voided_reason', 'is', null), eb('voided_reason', 'in', askedInPortal)]))
    .where(({ or, eb }) => or([eb('clients.rating_emails', '=', sql.lit(true)), eb('rating', 'is not', null)]))
    .where(
      sql<boolean>`not exists (select from csat_surveys as later where later.ticket_id = csat_surveys.ticket_id
        and later.id > csat_surveys.id)`
    )
)

function surveys(db: Db) {
  return db
    .selectFrom('csat_surveys')
    .innerJoin('tickets', 'tickets.id', 'csat_surveys.ticket_id')
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .select(['csat_surveys.id', 'ticket_id', 'ticket_number', 'subject', 'comment', 'rated_at', 'client_id'])
    .select(['due_at', 'csat_surveys.closed_at', 'deptid'])
    .select([emailInForce.as('client_email'), sql<Rating | null>`rating`.as('rating')])
}
