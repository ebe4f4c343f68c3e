import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, Id, Population } from './columns.ts'

export interface SsoTables {
  sso_providers: SsoProviderTable
  sso_identities: SsoIdentityTable
  sso_attempts: SsoAttemptTable
  sso_refusals: SsoRefusalTable
}

interface SsoProviderTable {
  id: Id
  slug: string
  name: string
  population: Population
  issuer: string
  client_id: string
  sealed_secret: string | null
  scopes: string
  domains: string[]
  email_trust: 'verified_claim' | 'issuer'
  create_accounts: boolean
  role_claim: string | null
  role_map: RoleMap
  trust_amr_mfa: boolean
  is_active: boolean
  version: Generated<number>
  created_at: CreatedAt
  updated_at: CreatedAt
}

/** What each value of the role claim gives. */
type RoleMap = Record<string, { permissions: string[]; deptids: number[] }>

interface SsoIdentityTable {
  id: Id
  provider_id: number
  subject: string
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  created_at: CreatedAt
  last_used_at: Date | null
}

interface SsoAttemptTable {
  id: Id
  state_sha256: string
  cookie_sha256: string
  provider_id: number
  nonce: string
  sealed_verifier: string
  return_to: string
  session_id: number | null
  purpose: 'sign-in' | 'link' | 'test'
  result: Generated<object | null>
  expires_at: Date
  used_at: Generated<Date | null>
  created_at: CreatedAt
}

interface SsoRefusalTable {
  id: Id
  provider_id: number
  reference: string
  code: string
  reason: string
  created_at: CreatedAt
}
