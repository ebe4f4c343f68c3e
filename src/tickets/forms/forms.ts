import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketFormRow } from '../../core/tables/ticket-forms.ts'
import { failure } from '../../kit/errors.ts'

export const TicketFormNotFound = failure(404, 'ticket_form_not_found', 'There is no such ticket form')

/** Which custom fields are asked, in which order, and when. */
export type TicketForm = TicketFormRow

/** All forms by name, archived ones last. */
export async function allForms(db: Db): Promise<TicketForm[]> {
  return await all(db, {})
}

/** The form with this id, archived ones too. Throws `TicketFormNotFound`. */
export async function formWith(db: Db, id: number): Promise<TicketForm> {
  const [form] = await byId(db, { id })
  if (!form) throw TicketFormNotFound()
  return form
}

/** The form of an active department, else the default form; undefined if there is neither. */
export async function formOfDepartment(db: Db, deptid: number): Promise<TicketForm | undefined> {
  const [form] = await ofDepartment(db, { deptid })
  return form
}

/** The same for the department in which a ticket is now. */
export async function formOfTicket(db: Db, ticketId: number): Promise<TicketForm | undefined> {
  const [form] = await ofTicket(db, { ticketId })
  return form
}

const columns = [
  ...(['ticket_forms.id', 'ticket_forms.name', 'ticket_forms.deptids', 'ticket_forms.items'] as const),
  ...(['ticket_forms.is_default', 'ticket_forms.is_archived', 'ticket_forms.version'] as const),
  ...(['ticket_forms.created_at', 'ticket_forms.updated_at'] as const)
]

const all = prepared(db =>
  db.selectFrom('ticket_forms').select(columns).orderBy('is_archived').orderBy('name').orderBy('id')
)

const byId = prepared((db, p: { id: number }) => db.selectFrom('ticket_forms').where('id', '=', p.id).select(columns))

const ofDepartment = prepared((db, p: { deptid: number }) =>
  db
    .selectFrom('ticket_forms')
    .where('is_archived', '=', false)
    .where(sql<boolean>`(is_default or ${p.deptid}::bigint = any(deptids))`)
    // A department that is not there asks for nothing: it is refused itself.
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('departments').where('deptid', '=', p.deptid).where('is_active', '=', true).select('id'))
    )
    .select(columns)
    .orderBy(sql`${p.deptid}::bigint = any(deptids)`, 'desc')
    .limit(1)
)

const ofTicket = prepared((db, p: { ticketId: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .innerJoin('ticket_forms', join =>
      join.on('is_archived', '=', false).on(sql<boolean>`(is_default or deptid = any(deptids))`)
    )
    .where('tickets.id', '=', p.ticketId)
    .select(columns)
    .orderBy(sql`deptid = any(deptids)`, 'desc')
    .limit(1)
)
