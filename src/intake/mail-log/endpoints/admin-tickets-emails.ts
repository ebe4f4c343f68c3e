import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Nullable, OutputText } from '../../../kit/schemas.ts'
import { TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { LoggedMailWithSteps, loggedMailWithSteps, logLimits, logPageFields } from '../log-schemas.ts'
import { mailsOfTicket } from '../logged-mails.ts'

/** Lists the e-mails of a ticket, in and out, the newest first, with what became of each: for all who see the ticket. */
export const listTicketEmails = endpoint({
  path: '/api/admin/tickets/emails',
  aliases: ['/api/admin/tickets/:id/emails'],
  summary: 'List the e-mails of a ticket, and what became of them',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: TicketRef, ...logPageFields }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ mails: Type.Array(LoggedMailWithSteps), next_cursor: Nullable(OutputText('88120')) }),
  errors: [TicketNotFound],
  async handle({ body: { id, cursor, limit = logLimits.fallback }, actor, services: { db } }) {
    const page = { limit: Math.min(limit, logLimits.max), cursor }
    const { mails, next_cursor } = await mailsOfTicket(db, actor, id, page)
    return { message: 'E-mails of the ticket', data: { mails: mails.map(loggedMailWithSteps), next_cursor } }
  }
})
