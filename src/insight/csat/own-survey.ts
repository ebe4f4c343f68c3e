import type { ClientActor } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { visibleTicketNow } from '../../tickets/ticket/locked-ticket.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../tickets/ticket/ticket-for.ts'
import { ownTickets } from '../../tickets/ticket/visibility.ts'
import { type Given, rate } from './rate.ts'
import { SurveyNotFound, surveyOfTicket, surveyView } from './surveys.ts'

type OwnServices = Pick<Services, 'db'>

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

async function surveyOf({ db }: OwnServices, actor: ClientActor, ref: TicketRef) {
  const ticket = await visibleTicketNow(db, ownTickets(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  return await surveyOfTicket(db, ticket.id)
}
