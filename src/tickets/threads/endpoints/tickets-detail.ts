import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Flag, Id, OutputText, Timestamp } from '../../../kit/schemas.ts'
import { clientFieldsData } from '../../fields/shown-fields.ts'
import { MessageView, Opener, Priority, Status, TicketNumber, TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { threadOf } from '../thread-of.ts'

/** A ticket with its thread (contract: POST /api/tickets/detail). */
export const showTicket = endpoint({
  path: '/api/tickets/detail',
  aliases: ['/api/tickets/:id', '/api/tickets/:id/detail'],
  summary: 'Show a ticket with its messages',
  access: 'user',
  onlyReads: true,
  body: Type.Object({ id: TicketRef }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({
    ticket: Type.Object({
      id: Id(),
      ticket_number: TicketNumber,
      department_name: OutputText('Technical Support'),
      subject: OutputText('The printer is on fire'),
      priority: Priority,
      status: Status,
      // For managers of an organisation.
      client: Type.Optional(Opener),
      // For a ticket of somebody else: whether the manager gets the e-mails about it.
      is_following: Type.Optional(Flag()),
      // The custom fields of which clients know, where there are any.
      ...Type.Partial(Type.Object(clientFieldsData)).properties,
      created_at: Timestamp(),
      updated_at: Timestamp()
    }),
    messages: Type.Array(MessageView)
  }),
  errors: [TicketNotFound, Forbidden],
  async handle({ body, actor, services }) {
    return { message: 'Ticket retrieved', data: await threadOf(services.db, actor, body.id) }
  }
})
