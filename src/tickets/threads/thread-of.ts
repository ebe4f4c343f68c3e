import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Actor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { formatted } from '../../core/formatted-text/format.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { areFieldsForClients, clientFields } from '../fields/shown-fields.ts'
import { isFollowedByManager } from '../followers/followed-by-manager.ts'
import { visibleParts } from '../ticket/merged-parts.ts'
import type { AttachmentView, MessageView, TicketRef } from '../ticket/schemas.ts'
import { permittedTicketQuery } from '../ticket/ticket-for.ts'
import { type BoundVisibility, isMessageSeen } from '../ticket/visibility.ts'
import { emailParts, type StoredEmail, storedEmail } from './message-email.ts'

/** The ticket, if this actor may see it, with its messages and those of tickets merged into it, oldest first. */
export async function threadOf(db: Db, actor: Actor, ref: TicketRef) {
  const { messages, attachments, has_fields, created_at, updated_at, ...ticket } = await thread(db, actor, ref, {})
  const opener = await openerFor(db, actor, ticket.id)
  return {
    ticket: {
      ...ticket,
      ...opener,
      ...(has_fields ? await clientFields(db, ticket.id) : {}),
      created_at: timestamp(created_at),
      updated_at: timestamp(updated_at)
    },
    messages: messageViews(messages, attachments)
  }
}

/** For a manager of an organisation: who opened the ticket and, if that was somebody else, whether the manager follows it. */
async function openerFor(db: Db, actor: Actor, ticket: number) {
  if (actor.population !== 'client' || actor.managedOrganisation === undefined) return {}
  const [found] = await openerOf(db, { ticket, manager: actor.id })
  if (!found) return {}
  const { is_following, ...client } = found
  return client.id === actor.id ? { client } : { client, is_following: bit(is_following) }
}

const openerOf = prepared((db, p: { ticket: number; manager: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', p.ticket)
    .select(['clients.id', 'clients.first_name', 'clients.last_name'])
    .select(
      sql<boolean>`exists (select from clients as manager join organisations on organisations.id = tickets.organisation_id
        where manager.id = ${p.manager} and ${isFollowedByManager})`.as('is_following')
    )
)

/** The messages of a thread with their files; a file without a message belongs to the first. */
export function messageViews(
  messages: readonly PartMessage[],
  attachments: readonly PartAttachment[]
): (MessageView & { ticket_id: number })[] {
  const first = messages[0]?.id
  const attached = Map.groupBy(attachments, attachment => attachment.message_id ?? first)
  return messages.map(({ email, formatted_html, ...message }) => ({
    ...message,
    ...formatted(formatted_html),
    ...(email ? emailParts(message.message, email) : {}),
    sender_type: message.sender_type === 'client' ? 'customer' : message.sender_type,
    created_at: timestamp(new Date(message.created_at)),
    attachments: (attached.get(message.id) ?? []).map(({ message_id: _, ...attachment }) => attachment)
  }))
}

export interface PartMessage {
  id: number
  ticket_id: number
  sender_type: 'client' | 'support' | 'admin'
  first_name: string
  last_name: string
  message: string
  formatted_html: string | null
  created_at: string
  email: StoredEmail | null
}

export type PartAttachment = AttachmentView & { message_id: number | null }

const thread = permittedTicketQuery(
  { permission: 'tickets.view_all', orAssigned: true },
  (tickets, _p, _db, boundVisibility) =>
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
        messagesOfParts(db, boundVisibility).as('messages'),
        attachmentsOfParts(db, boundVisibility).as('attachments'),
        areFieldsForClients.as('has_fields')
      ])
)

/** Within a query on `tickets`: the visible messages of the ticket and of those merged into it. */
function messagesOfParts(db: ExpressionBuilder<Tables, 'tickets'>, boundVisibility: BoundVisibility) {
  return jsonArrayFrom(
    writtenMessages(db)
      .where('message.ticket_id', '=', visibleParts(boundVisibility))
      .where(isMessageSeen(boundVisibility.visibility, 'message'))
  )
}

/** The limit makes the planner look up each sender: it expects more messages than there are, and would read all clients of a small desk. */
function nameIn(table: 'clients' | 'staff', id: string) {
  return sql<{ first_name: string; last_name: string }>`(
    select first_name, last_name from ${sql.table(table)} where id = ${sql.ref(id)} limit 1)`
}

/** Messages with their senders, oldest first. */
export function writtenMessages(db: Pick<ExpressionBuilder<Tables, never>, 'selectFrom'>) {
  return db
    .selectFrom('ticket_messages as message')
    .leftJoinLateral(nameIn('clients', 'message.client_id').as('writer'), join => join.onTrue())
    .leftJoinLateral(nameIn('staff', 'message.staff_id').as('answerer'), join => join.onTrue())
    .select([
      'message.id',
      'message.ticket_id',
      'message.sender_type',
      'message.message',
      'message.formatted_html',
      'message.created_at'
    ])
    .leftJoin('message_emails as mailed', 'mailed.message_id', 'message.id')
    .select(storedEmail.as('email'))
    .select(({ fn }) => [
      fn.coalesce('writer.first_name', 'answerer.first_name', 'message.sender_first_name').as('first_name'),
      fn.coalesce('writer.last_name', 'answerer.last_name', 'message.sender_last_name').as('last_name')
    ])
    .orderBy('message.created_at')
    .orderBy('message.id')
}

/** Within a query on `tickets`: the files of the ticket and of those merged into it. */
function attachmentsOfParts(db: ExpressionBuilder<Tables, 'tickets'>, boundVisibility: BoundVisibility) {
  return jsonArrayFrom(
    db
      .selectFrom('ticket_attachments')
      .where('ticket_attachments.ticket_id', '=', visibleParts(boundVisibility))
      .select(['id', 'message_id', 'file_name', 'file_path', 'file_size', 'file_type'])
      .orderBy('id')
  )
}
