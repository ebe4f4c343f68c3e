import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id, Nullable, OneOf } from '../../../kit/schemas.ts'
import { ClientNotFound } from '../../../people/clients/client-record.ts'
import { EmailUnconfirmed } from '../../../people/clients/email-changes.ts'
import { TicketMerged } from '../../../tickets/ticket/locked-ticket.ts'
import { TicketNumber, TicketRef } from '../../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../../tickets/ticket/ticket-for.ts'
import { HeldMailNotFound } from '../held-mails.ts'
import { MailSettled, releaseMail, SenderMissing } from '../release-mail.ts'

/**
 * Releases a held e-mail: as a new ticket of its sender, who gets an account if they have none, or of the client `client_id`; or with `ticket_id`
 * into the thread of that ticket. The checks that held it are skipped. Only the first caller releases it; others get its result with a 409. The
 * caller must see all tickets.
 */
export const releaseHeldMail = endpoint({
  path: '/api/admin/mail/held/release',
  aliases: ['/api/admin/mail/held/:id/release'],
  summary: 'Release a held e-mail as a ticket or a reply',
  access: { anyOf: ['tickets.edit_status'] },
  about: { tickets: ['ticket_id'], clients: ['client_id'] },
  body: Type.Object({ id: Id(), ticket_id: Type.Optional(TicketRef), client_id: Type.Optional(Id()) }),
  synonyms: { mail_id: 'id', ticket: 'ticket_id', ticket_number: 'ticket_id' },
  data: Type.Object({
    id: Id(),
    outcome: OneOf(['ticket', 'reply'] as const),
    ticket_id: Id(),
    ticket_number: TicketNumber,
    // Null: it went into a side conversation.
    message_id: Nullable(Id())
  }),
  errors: [
    HeldMailNotFound,
    MailSettled,
    SenderMissing,
    EmailUnconfirmed,
    TicketNotFound,
    TicketMerged,
    ClientNotFound,
    Forbidden
  ],
  async handle({ body, actor, caller, services }) {
    const { id, ticket_id: into, client_id: clientId } = body
    const released = await releaseMail(services, actor, caller, { id, into, clientId })
    const { outcome, ticketId: ticket_id, ticketNumber: ticket_number, messageId: message_id } = released
    return { message: 'E-mail released', data: { id, outcome, ticket_id, ticket_number, message_id } }
  }
})
