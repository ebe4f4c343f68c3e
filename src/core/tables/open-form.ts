import type { JSONColumnType } from 'kysely'
import type { Id } from './columns.ts'

export interface OpenFormTables {
  unconfirmed_tickets: UnconfirmedTicketTable
}

interface UnconfirmedTicketTable {
  id: Id
  client_id: number
  /** The address to which the request to confirm was e-mailed. */
  email: string
  department_id: number
  subject: string
  message: string
  /** Values of custom fields by their keys, as they were sent. */
  fields: JSONColumnType<object, string | undefined, string>
  expires_at: Date
  created_at: Date
}
