import { type InferResult, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { Id, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { timestamp } from '../../lib/time.ts'
import { OrganisationName } from '../../people/organisations/organisations.ts'
import { Snooze, StaffPerson } from './desk-schemas.ts'
import { Count, Priority, Status, TicketNumber } from './schemas.ts'
import { snoozeOfTicket, snoozeView } from './snooze-of.ts'

/** A ticket as the queue and the response to every change show it. */
export const QueueTicket = Type.Object({
  id: Id(),
  ticket_number: TicketNumber,
  subject: OutputText('The printer is on fire'),
  status: Status,
  priority: Priority,
  department: Type.Object({ id: Id(), deptid: Id(), name: OutputText('Technical Support') }),
  client: Type.Object({
    id: Id(),
    first_name: OutputText('Ada'),
    last_name: OutputText('Lovelace'),
    email: OutputText('ada@example.com'),
    organisation: Nullable(OrganisationName)
  }),
  assignee: Nullable(StaffPerson),
  tags: Type.Array(Type.Object({ id: Id(), name: OutputText('urgent'), color: OutputText('#c0392b') })),
  message_count: Count,
  attachment_count: Count,
  version: Version,
  merged_into_id: Nullable(Id()),
  trashed_at: Nullable(Timestamp()),
  snooze: Nullable(Snooze),
  created_at: Timestamp(),
  updated_at: Timestamp()
})
export type QueueTicket = Static<typeof QueueTicket>

/** The columns of `tickets` that it shows as they are. */
const shownColumns = [
  'id',
  'ticket_number',
  'subject',
  'status',
  'priority',
  'message_count',
  'attachment_count',
  'version',
  'merged_into_id'
] as const

export type QueueRow = InferResult<ReturnType<typeof queueRows>>[number]

/** The rows of a query on `tickets`, as the queue shows them. People and department are columns: building JSON of them would cost more than finding them. */
export function queueRows(tickets: SelectQueryBuilder<Tables, 'tickets', object>) {
  return tickets
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .leftJoin('organisations', 'organisations.id', 'clients.organisation_id')
    .leftJoin('staff', 'staff.id', 'tickets.assigned_staff_id')
    .leftJoin('snoozes', 'snoozes.ticket_id', 'tickets.id')
    .select(shownColumns.map(name => `tickets.${name}` as const))
    .select([
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

export function queueTicketView(row: QueueRow): QueueTicket {
  const shown = Object.fromEntries(shownColumns.map(name => [name, row[name]])) as Pick<
    QueueRow,
    (typeof shownColumns)[number]
  >
  return {
    ...shown,
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
    trashed_at: row.trashed_at && timestamp(row.trashed_at),
    snooze: snoozeView(row.snooze),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at)
  }
}

/** The ticket after a change, for the actor who made it, even if they no longer see it. */
export async function changedTicket(db: Db, id: number): Promise<QueueTicket> {
  const [row] = await rowById(db, { id })
  return queueTicketView(row!)
}

const rowById = prepared((db, p: { id: number }) => queueRows(db.selectFrom('tickets').where('tickets.id', '=', p.id)))
