import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, Id, Population } from './columns.ts'

export interface PasskeyTables {
  passkeys: PasskeyTable
  passkey_challenges: PasskeyChallengeTable
}

interface PasskeyTable {
  id: Id
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  is_backed_up: boolean
  aaguid: string
  host: string
  name: string
  blocked_at: Generated<Date | null>
  created_at: CreatedAt
  last_used_at: Generated<Date | null>
}

interface PasskeyChallengeTable {
  id: Id
  user_type: Population
  user_id: number | null
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  challenge: string
  expires_at: Date
  used_at: Generated<Date | null>
  created_at: CreatedAt
}
