import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, Id, Population } from './columns.ts'

export interface AuthTables {
  login_challenges: LoginChallengeTable
  sign_in_failures: SignInFailureTable
  recovery_codes: RecoveryCodeTable
}

interface LoginChallengeTable {
  id: Id
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  password: string
  provider_id: Generated<number | null>
  attempts: Generated<number>
  expires_at: Date
  used_at: Date | null
  created_at: CreatedAt
}

interface SignInFailureTable {
  email: string
  kind: string
  count: number
  first_at: Date
  last_at: Date
  ip_address: string | null
  reported_at: Date | null
}

interface RecoveryCodeTable {
  id: Id
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  digest: string
  used_at: Date | null
  created_at: CreatedAt
}
