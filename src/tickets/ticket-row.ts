import { type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonBuildObject } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { type Db, prepared } from '../db.ts'
import { timestamp } from '../lib/time.ts'
import type { Tables } from '../tables/tables.ts'
import type { TicketRow } from '../tables/tickets.ts'
import type { QueueTicket } from './desk-schemas.ts'

type Person = { id: number; first_name: string; last_name: string }

/** A ticket with everybody and everything that belongs to it in a queue. */
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
> & {
  department: { id: number; deptid: number; name: string }
  client: Person & { email: string }
  assignee: Person | null
  tags: { id: number; name: string; color: string }[]
}

/** The rows of a query on `tickets`. */
export function queueRows(tickets: SelectQueryBuilder<Tables, 'tickets', object>) {
  return tickets
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .leftJoin('staff', 'staff.id', 'tickets.assigned_staff_id')
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
      'tickets.updated_at'
    ])
    .select(eb => [
      jsonBuildObject({
        id: eb.ref('departments.id'),
        deptid: eb.ref('departments.deptid'),
        name: eb.ref('departments.name')
      }).as('department'),
      jsonBuildObject({
        id: eb.ref('clients.id'),
        first_name: eb.ref('clients.first_name'),
        last_name: eb.ref('clients.last_name'),
        email: eb.ref('clients.email')
      }).as('client'),
      sql<Person | null>`case when staff.id is not null then ${jsonBuildObject({
        id: eb.ref('staff.id'),
        first_name: eb.ref('staff.first_name'),
        last_name: eb.ref('staff.last_name')
      })} end`.as('assignee'),
      jsonArrayFrom(
        eb
          .selectFrom('ticket_tags')
          .innerJoin('tags', 'tags.id', 'ticket_tags.tag_id')
          .whereRef('ticket_tags.ticket_id', '=', 'tickets.id')
          .select(['tags.id', 'tags.name', 'tags.color'])
          .orderBy(sql`lower(tags.name)`)
      ).as('tags')
    ])
}

export function queueTicketView({ trashed_at, created_at, updated_at, ...row }: QueueRow): Static<typeof QueueTicket> {
  return {
    ...row,
    trashed_at: trashed_at && timestamp(trashed_at),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at)
  }
}

/** The ticket after a change, for the one who made it, even if it is now out of their sight. */
export async function changedTicket(db: Db, id: number): Promise<Static<typeof QueueTicket>> {
  const [row] = await rowById(db, { id })
  return queueTicketView(row!)
}

const rowById = prepared((db, p: { id: number }) => queueRows(db.selectFrom('tickets').where('tickets.id', '=', p.id)))
