import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { rateOwn } from '../own-survey.ts'
import { CommentInput, RatingClosed, RatingInput, SurveyNotFound, SurveyView } from '../surveys.ts'

/** Rates the caller's own closed ticket in the portal (Q6); for seven days the rating can be changed. */
export const rateTicket = endpoint({
  path: '/api/tickets/rate',
  aliases: ['/api/tickets/:id/rate'],
  summary: 'Rate a closed ticket',
  access: 'client',
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, rating: RatingInput, comment: CommentInput }),
  synonyms: { ticket_id: 'id' },
  data: SurveyView,
  errors: [TicketNotFound, SurveyNotFound, RatingClosed],
  async handle({ body, actor, caller, services }) {
    const { id, ...given } = body
    return { message: 'Thank you', data: await rateOwn(services, actor, id, given, caller) }
  }
})
