import { type Selectable, sql } from 'kysely'
import { prepared } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import type { TicketPriority, TicketStatus } from '../../core/tables/tickets.ts'
import { writtenColumns } from '../ticket/ticket-for.ts'
import { actorColumns, eventColumns, facts, kindOf, ofTicket } from '../ticket/timeline.ts'
import {
  inLowerCase,
  type NewMessage,
  withAndWithoutFiles,
  withMessage,
  writtenFacts,
  writtenFiles
} from './add-message.ts'

type Parameters = NewMessage & {
  client: number
  isClientEmailConfirmed: boolean
  deptid: number
  subject: string
  priority: TicketPriority
  /** Staff open it for a client who waits for an answer. */
  clientWaits: boolean
}

type Department = Pick<Selectable<Tables['departments']>, 'id' | 'deptid' | 'name'>

/**
 * Inserts a ticket of this client with its first message by any author; returns no row if there is no such active department. If the
 * department or client is deleted meanwhile, the foreign key refuses it.
 */
export const insertTicket = withAndWithoutFiles(has =>
  prepared((db, p: Parameters) => {
    const withDepartment = db.with('department', db =>
      db
        .selectFrom('departments')
        .where('departments.deptid', '=', p.deptid)
        .where('departments.is_active', '=', true)
        .select(['departments.id', 'departments.deptid', 'departments.name'])
    )
    const withTicket = withDepartment.with('ticket', db =>
      db
        .insertInto('tickets')
        .columns([
          'client_id',
          'client_email',
          'is_client_email_confirmed',
          'organisation_id',
          'department_id',
          'subject',
          'priority',
          'message_count',
          'attachment_count',
          'created_at',
          'updated_at',
          'unanswered_since',
          'unanswered_of'
        ])
        .expression(db =>
          db
            .selectFrom('department')
            .select(eb => [
              eb.val(p.client).as('client_id'),
              inLowerCase(p.clientEmail).as('client_email'),
              eb.val(p.isClientEmailConfirmed).as('is_client_email_confirmed'),
              eb
                .selectFrom('clients')
                .where('clients.id', '=', p.client)
                .select('organisation_id')
                .as('organisation_id'),
              'department.id',
              eb.val(p.subject).as('subject'),
              eb.val(p.priority).as('priority'),
              eb.lit(1).as('message_count'),
              eb.val(p.fileCount).as('attachment_count'),
              eb.val(p.now).as('created_at'),
              eb.val(p.now).as('updated_at'),
              sql<Date | null>`case when ${p.senderType}::text = 'client' then ${p.now}::timestamptz end`.as(
                'unanswered_since'
              ),
              eb.lit(1).as('unanswered_of')
            ])
        )
        .returning(writtenColumns)
        .returning(sql<TicketStatus | null>`null::text`.as('former_status'))
    )
    return (
      withMessage(withTicket, p, has)
        .with('counted', db =>
          db
            .insertInto('client_ticket_changes')
            .columns(['client_id', 'tickets'])
            .expression(db => db.selectFrom('ticket').select(eb => ['ticket.client_id', eb.lit(1).as('tickets')]))
        )
        .with('event', db =>
          db
            .insertInto('events')
            .columns(eventColumns)
            .expression(db =>
              db
                .selectFrom(['ticket', 'message', sql<Department>`department`.as('department')])
                .select(eb => [
                  ...ofTicket,
                  kindOf('ticket.created'),
                  facts(null).as('before'),
                  openingFacts({
                    status: eb.ref('ticket.status'),
                    priority: eb.ref('ticket.priority'),
                    department_id: eb.ref('department.deptid'),
                    ...writtenFacts(p),
                    client_waits: sql`nullif(${p.clientWaits}::boolean, false)`
                  }).as('after')
                ])
                .select(actorColumns(p))
            )
        )
        // One row of each.
        .selectFrom(['ticket', 'message', sql<Department>`department`.as('department')])
        .select([
          'ticket.id as ticket_id',
          'ticket.ticket_number',
          'ticket.subject',
          'ticket.priority',
          'ticket.status',
          'ticket.created_at',
          'department.id as department_id',
          'department.deptid',
          'department.name as department_name',
          'message.id as message_id',
          'message.message'
        ])
        .select(writtenFiles(has).as('attachments'))
    )
  })
)

/** Without what is null. */
function openingFacts(given: Record<string, unknown>) {
  return sql<string | null>`json_strip_nulls(${facts(given)})`
}
