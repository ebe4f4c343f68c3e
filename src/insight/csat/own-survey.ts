import type { ClientActor } from '../../core/actor.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { poolOf } from '../../platform/db/outer-transaction.ts'
import { visibleTicketNow } from '../../tickets/ticket/locked-ticket.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../tickets/ticket/ticket-for.ts'
import { ownTickets } from '../../tickets/ticket/visibility.ts'
import { csatReader } from './csat-reader.ts'
import { type Given, rate } from './rate.ts'
import { SurveyNotFound, surveyOfTicket, surveyView } from './surveys.ts'

type OwnServices = Pick<Services, 'db' | 'events'>

/** What the client is asked of their own ticket; null: nothing. Throws `TicketNotFound`. */
export async function ownSurvey(services: OwnServices, actor: ClientActor, ref: TicketRef) {
  const survey = await surveyOf(services, actor, ref)
  return survey ? surveyView(survey) : null
}

/** Rates the client's own ticket. Throws `TicketNotFound`, `SurveyNotFound`, `RatingClosed`. */
export async function rateOwn(services: Services, actor: ClientActor, ref: TicketRef, given: Given, caller: Caller) {
  const survey = await surveyOf(services, actor, ref)
  if (!survey) throw SurveyNotFound()
  await rate(services, survey, given, caller)
  return surveyView((await surveyOf(services, actor, ref))!)
}

async function surveyOf(services: OwnServices, actor: ClientActor, ref: TicketRef) {
  const { db } = services
  const ticket = await visibleTicketNow(db, ownTickets(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  // It may have been closed just now: the log tells so, unless its reader is far behind.
  await sequence(services)
  await catchUpWithLog(poolOf(db), csatReader(), { mostBatches: 10 })
  return await surveyOfTicket(db, ticket.id)
}
