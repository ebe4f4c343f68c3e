import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { GivenValues } from '../../tickets/fields/judge-values.ts'

/** A ticket that waits for confirmation by the owner of the address. */
export interface UnconfirmedTicket {
  id: number
  client_id: number
  client_first_name: string
  client_last_name: string
  /** The address to which the request to confirm was e-mailed. */
  email: string
  /** Of the department that was chosen, or of the first active one if that has been deactivated. */
  deptid: number
  subject: string
  message: string
  /** Values of custom fields by key, as they were sent. */
  fields: GivenValues
}

interface NewUnconfirmed {
  clientId: number
  email: string
  departmentId: number
  subject: string
  message: string
  fields: GivenValues
  expiresAt: Date
  now: Date
}

/** Stores it and returns its id. */
export async function storeUnconfirmed(db: Db, ticket: NewUnconfirmed): Promise<number> {
  const [row] = await insert(db, { ...ticket, fields: JSON.stringify(ticket.fields) })
  return row!.id
}

/** The ticket, unless it was confirmed or has expired, or its client may not write. */
export async function unconfirmedTicket(db: Db, id: number, now: Date): Promise<UnconfirmedTicket | undefined> {
  const [ticket] = await byId(db, { id, now })
  return ticket
}

/** Deletes it; true for only one of any number of concurrent callers. */
export async function takeUnconfirmed(db: Db, id: number): Promise<boolean> {
  return (await remove(db, { id })).length === 1
}

const insert = prepared((db, p: Omit<NewUnconfirmed, 'fields'> & { fields: string }) =>
  db
    .insertInto('unconfirmed_tickets')
    .values({
      client_id: p.clientId,
      email: p.email,
      department_id: p.departmentId,
      subject: p.subject,
      message: p.message,
      fields: p.fields,
      expires_at: p.expiresAt,
      created_at: p.now
    })
    .returning('id')
)

const byId = prepared((db, p: { id: number; now: Date }) =>
  db
    .selectFrom('unconfirmed_tickets as ticket')
    .innerJoin('clients', 'clients.id', 'ticket.client_id')
    .innerJoin('departments', 'departments.id', 'ticket.department_id')
    .where('ticket.id', '=', p.id)
    .where('ticket.expires_at', '>', p.now)
    .where('clients.is_active', '=', true)
    .select(['ticket.id', 'ticket.client_id', 'ticket.subject', 'ticket.message'])
    .select(sql<GivenValues>`ticket.fields`.as('fields'))
    // A department that was deactivated meanwhile takes no new tickets: as for e-mails, the first active one does.
    .select(
      sql<number>`case when departments.is_active then departments.deptid
        else (select min(deptid) from departments where is_active) end`.as('deptid')
    )
    .select(['clients.first_name as client_first_name', 'clients.last_name as client_last_name'])
    .select('ticket.email')
)

const remove = prepared((db, p: { id: number }) =>
  db.deleteFrom('unconfirmed_tickets').where('id', '=', p.id).returning('id')
)
