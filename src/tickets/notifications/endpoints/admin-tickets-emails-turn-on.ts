import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ClientEmailView } from '../../ticket/client-email.ts'
import { TicketMerged } from '../../ticket/locked-ticket.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { turnOnEmails } from '../turn-on-emails.ts'

/**
 * Turns the e-mails to a ticket's client on again that they had ended or that bounces had stopped; only for a client who has asked for it. The
 * timeline names who did so.
 */
export const turnOnClientEmails = endpoint({
  path: '/api/admin/tickets/emails/turn-on',
  summary: 'Turn on the e-mails to a ticket’s client again',
  access: { anyOf: ['clients.edit'] },
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ client_email: ClientEmailView }),
  errors: [TicketNotFound, TicketMerged],
  async handle({ body, actor, caller, services }) {
    const client_email = await turnOnEmails(services, { actor, caller, ref: body.id })
    return { message: 'What the client gets by e-mail', data: { client_email } }
  }
})
