import type { CreatedAt, Id } from './columns.ts'

export interface ResetTables {
  reset_tokens: ResetTokenTable
  staff_reset_tokens: StaffResetTokenTable
}

interface ResetTokenTable {
  id: Id
  client_id: number
  /** The address to which the link was e-mailed. */
  email: string
  expires_at: Date
  used_at: Date | null
  voided_at: Date | null
  created_at: CreatedAt
}

interface StaffResetTokenTable {
  id: Id
  staff_id: number
  expires_at: Date
  used_at: Date | null
  voided_at: Date | null
  created_at: CreatedAt
}
