import { type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import type { TicketRow } from '../../core/tables/tickets.ts'
import { timestamp } from '../../lib/time.ts'
import type { QueueTicket } from './desk-schemas.ts'
import { type SnoozeOfRow, snoozeOfTicket, snoozeView } from './snooze-of.ts'

/** A ticket with the client, assignee, department and tags that a queue shows. */
export type QueueRow = Pick<
  TicketRow,
  | 'id'
  | 'ticket_number'
  | 'subject'
  | 'status'
  | 'priority'
  | 'message_count'
  | 'attachment_count'
  | 'version'
  | 'merged_into_id'
  | 'trashed_at'
  | 'created_at'
  | 'updated_at'
  | 'department_id'
  | 'client_id'
> & {
  deptid: number
  department_name: string
  client_first_name: string
  client_last_name: string
  client_email: string
  organisation_id: number | null
  organisation_name: string | null
  assignee_id: number | null
  assignee_first_name: string | null
  assignee_last_name: string | null
  snooze: SnoozeOfRow | null
  tags: { id: number; name: string; color: string }[]
}

/** The rows of a query on `tickets`, as the queue shows them. People and department are columns: building JSON of them would cost more than finding them. */
export function queueRows(tickets: SelectQueryBuilder<Tables, 'tickets', object>) {
  return tickets
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .leftJoin('organisations', 'organisations.id', 'clients.organisation_id')
    .leftJoin('staff', 'staff.id', 'tickets.assigned_staff_id')
    .leftJoin('snoozes', 'snoozes.ticket_id', 'tickets.id')
    .select([
      'tickets.id',
      'tickets.ticket_number',
      'tickets.subject',
      'tickets.status',
      'tickets.priority',
      'tickets.message_count',
      'tickets.attachment_count',
      'tickets.version',
      'tickets.merged_into_id',
      'tickets.trashed_at',
      'tickets.created_at',
      'tickets.updated_at',
      'tickets.department_id',
      'departments.deptid',
      'departments.name as department_name',
      'tickets.client_id',
      'clients.first_name as client_first_name',
      'clients.last_name as client_last_name',
      'clients.email as client_email',
      'organisations.id as organisation_id',
      'organisations.name as organisation_name',
      'staff.id as assignee_id',
      'staff.first_name as assignee_first_name',
      'staff.last_name as assignee_last_name'
    ])
    .select(snoozeOfTicket.as('snooze'))
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('ticket_tags')
          .innerJoin('tags', 'tags.id', 'ticket_tags.tag_id')
          .whereRef('ticket_tags.ticket_id', '=', 'tickets.id')
          .select(['tags.id', 'tags.name', 'tags.color'])
          .orderBy(sql`lower(tags.name)`)
      ).as('tags')
    )
}

export function queueTicketView(row: QueueRow): Static<typeof QueueTicket> {
  return {
    id: row.id,
    ticket_number: row.ticket_number,
    subject: row.subject,
    status: row.status,
    priority: row.priority,
    department: { id: row.department_id, deptid: row.deptid, name: row.department_name },
    client: {
      id: row.client_id,
      first_name: row.client_first_name,
      last_name: row.client_last_name,
      email: row.client_email,
      organisation: row.organisation_id === null ? null : { id: row.organisation_id, name: row.organisation_name! }
    },
    assignee:
      row.assignee_id === null
        ? null
        : { id: row.assignee_id, first_name: row.assignee_first_name!, last_name: row.assignee_last_name! },
    tags: row.tags,
    message_count: row.message_count,
    attachment_count: row.attachment_count,
    version: row.version,
    merged_into_id: row.merged_into_id,
    trashed_at: row.trashed_at && timestamp(row.trashed_at),
    snooze: snoozeView(row.snooze),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at)
  }
}

/** The ticket after a change, for the actor who made it, even if they no longer see it. */
export async function changedTicket(db: Db, id: number): Promise<Static<typeof QueueTicket>> {
  const [row] = await rowById(db, { id })
  return queueTicketView(row!)
}

const rowById = prepared((db, p: { id: number }) => queueRows(db.selectFrom('tickets').where('tickets.id', '=', p.id)))
