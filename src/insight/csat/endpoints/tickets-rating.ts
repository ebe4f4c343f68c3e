import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { ownSurvey } from '../own-survey.ts'
import { SurveyView } from '../surveys.ts'

/** Whether the portal asks the caller to rate their closed ticket, and what they have said (Q6); null: it does not ask. */
export const showRating = endpoint({
  path: '/api/tickets/rating',
  aliases: ['/api/tickets/:id/rating'],
  summary: 'Show whether a closed ticket can be rated',
  access: 'client',
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ survey: Type.Union([SurveyView, Type.Null()]) }),
  errors: [TicketNotFound],
  async handle({ body, actor, services }) {
    return { message: 'Rating', data: { survey: await ownSurvey(services, actor, body.id) } }
  }
})
