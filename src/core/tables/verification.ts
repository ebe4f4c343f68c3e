import type { Generated } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface VerificationTables {
  verification_codes: VerificationCodeTable
}

interface VerificationCodeTable {
  id: Id
  client_id: number
  type: 'email' | 'phone'
  target: string
  code: string
  attempts: Generated<number>
  expires_at: Date
  is_used: Generated<boolean>
  created_at: CreatedAt
  updated_at: CreatedAt
}
