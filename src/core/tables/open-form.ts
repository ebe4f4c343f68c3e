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
  expires_at: Date
  created_at: Date
}
