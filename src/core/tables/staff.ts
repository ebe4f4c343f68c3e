import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { CreatedAt, Id, TwoFactorColumns } from './columns.ts'

export interface StaffTables {
  staff: StaffTable
  permissions: PermissionTable
  staff_permissions: StaffPermissionTable
}

interface StaffTable extends TwoFactorColumns {
  id: Id
  first_name: string
  last_name: string
  email: string
  phone_number: string | null
  password: string
  role: Generated<'admin' | 'supporter'>
  is_active: Generated<boolean>
  /** Made at a terminal: the first sign-in may be by password, whatever `require_sso_staff` says. */
  signs_in_once: Generated<boolean>
  profile_picture: string | null
  /** The language of e-mails to them; null is the desk's language. */
  language: 'en' | 'de' | null
  assignment_emails: Generated<boolean>
  mention_emails: Generated<boolean>
  customer_reply_emails: Generated<boolean>
  /** They get no tickets in turn until then. */
  away_until: Generated<Date | null>
  /** A program: it cannot sign in, and acts by API tokens alone. */
  is_service_account: Generated<boolean>
  /** What a service account is for. */
  purpose: string | null
  /** Who made a service account. */
  created_by: Generated<number | null>
  created_at: CreatedAt
  updated_at: CreatedAt
  version: GeneratedAlways<number>
}
export type StaffRow = Selectable<StaffTable>

interface PermissionTable {
  id: Id
  slug: string
  name: string
  description: string
  category: string
  created_at: CreatedAt
}

interface StaffPermissionTable {
  id: Id
  staff_id: number
  permission_slug: string
  granted_by: number | null
  created_at: CreatedAt
}
