import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, Id, Population } from './columns.ts'

export interface SessionTables {
  sessions: SessionTable
  refresh_tokens: RefreshTokenTable
  api_tokens: ApiTokenTable
  known_devices: KnownDeviceTable
  service_account_calls: ServiceAccountCallTable
  service_account_days: ServiceAccountDayTable
}

/** By what somebody signs in: the password, that and a second factor, a passkey, an identity provider. */
export const waysIn = ['password', 'code', 'passkey', 'provider'] as const

/** How a session was opened; that of an API token was not opened by signing in. */
export type SignedInBy = (typeof waysIn)[number] | 'token'

interface SessionTable {
  id: Id
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  network: string | null
  signed_in_by: Generated<SignedInBy>
  ends_at: Generated<Date | null>
  has_provider_factor: Generated<boolean>
  created_at: CreatedAt
  ended_at: Date | null
}

/** An API token, with the id of the session by which it acts. */
interface ApiTokenTable {
  id: number
  name: string
  digest: string
  last_four: string
  /** Null: all that its owner may. */
  permissions: string[] | null
  /** By their own ids. Null: all of its owner's. */
  departments: number[] | null
  is_read_only: boolean
  expires_at: Date | null
  /** Who made it, if not its owner. */
  created_by: number | null
  /** From which it may be used. Null: anywhere. */
  addresses: Generated<string[] | null>
  is_end_told: Generated<boolean>
  /** Its successor, beside which it works for a day. That may be gone. */
  replaced_by: Generated<number | null>
  last_used_on: string | null
  last_used_network: string | null
}

/** One of the last calls of a service account. */
interface ServiceAccountCallTable {
  id: Id
  staff_id: number
  token_name: string
  path: string
  status: number
  is_refused: boolean
  reason: string | null
  missing: string[] | null
  network: string
  at: Date
}

/** How much a service account has called in a day. */
interface ServiceAccountDayTable {
  staff_id: number
  day: string
  calls: number
  refused: number
}

interface RefreshTokenTable {
  id: Id
  session_id: number
  user_id: number
  user_type: Population
  token: string
  expires_at: Date
  is_revoked: Generated<boolean>
  revoked_at: Date | null
  user_agent: string | null
  ip_address: string | null
  created_at: CreatedAt
  updated_at: CreatedAt
}

/** A device on which somebody has signed in. */
interface KnownDeviceTable {
  id: Id
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  digest: string
  seen_at: Date
}
