import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Actor } from '../actor.ts'
import { timestamp } from '../lib/time.ts'
import type { Db } from '../platform/db/open.ts'
import { forTicket } from './ticket-for.ts'
import type { MessageView, TicketRef } from './words.ts'

/** The ticket as this actor may see it, with its messages in the order in which they were written. */
export async function threadOf(db: Db, actor: Actor, ref: TicketRef) {
  const { messages, attachments, created_at, updated_at, ...ticket } = await thread(db, actor, ref, {})
  const first = messages[0]?.id
  const attached = Map.groupBy(attachments, attachment => attachment.message_id ?? first)
  return {
    ticket: { ...ticket, created_at: timestamp(created_at), updated_at: timestamp(updated_at) },
    messages: messages.map(
      (message): MessageView => ({
        ...message,
        sender_type: message.sender_type === 'client' ? 'customer' : message.sender_type,
        created_at: timestamp(new Date(message.created_at)),
        attachments: attached.get(message.id) ?? []
      })
    )
  }
}

const thread = forTicket({ permission: 'tickets.view_all', orAssigned: true }, tickets =>
  tickets
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .select([
      'tickets.id',
      'tickets.ticket_number',
      'departments.name as department_name',
      'tickets.subject',
      'tickets.priority',
      'tickets.status',
      'tickets.created_at',
      'tickets.updated_at'
    ])
    .select(db => [
      jsonArrayFrom(
        db
          .selectFrom('ticket_messages as message')
          .leftJoin('clients', 'clients.id', 'message.client_id')
          .leftJoin('staff', 'staff.id', 'message.staff_id')
          .whereRef('message.ticket_id', '=', 'tickets.id')
          .select(['message.id', 'message.sender_type', 'message.message', 'message.created_at'])
          .select(({ fn }) => [
            fn.coalesce('clients.first_name', 'staff.first_name', 'message.sender_first_name').as('first_name'),
            fn.coalesce('clients.last_name', 'staff.last_name', 'message.sender_last_name').as('last_name')
          ])
          .orderBy('message.id')
      ).as('messages'),
      jsonArrayFrom(
        db
          .selectFrom('ticket_attachments')
          .whereRef('ticket_attachments.ticket_id', '=', 'tickets.id')
          .select(['id', 'message_id', 'file_name', 'file_path', 'file_size', 'file_type'])
          .orderBy('id')
      ).as('attachments')
    ])
)
