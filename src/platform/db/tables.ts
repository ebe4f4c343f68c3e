import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'
import type { DeskTables } from './tables-desk.ts'

/** The tables as the migrations leave them, for the compiler. Times are Dates, ids and counts numbers, 0/1 booleans. */
export interface Tables extends DeskTables {
  clients: ClientTable
  client_counts: { shard: number; clients: number }
  staff: StaffTable
  permissions: PermissionTable
  staff_permissions: StaffPermissionTable
  sessions: SessionTable
  refresh_tokens: RefreshTokenTable
  login_challenges: LoginChallengeTable
  reset_tokens: ResetTokenTable
  email_changes: EmailChangeTable
  sign_in_failures: SignInFailureTable
  verification_codes: VerificationCodeTable
  guesses: { key: string; count: number; resets_at: Date }
  departments: DepartmentTable
  tickets: TicketTable
  ticket_messages: TicketMessageTable
  ticket_attachments: TicketAttachmentTable
  letters: OutboxTable
  installation: InstallationTable
  removed_files: { file_path: string }
}

export type Population = 'client' | 'staff'

type Id = GeneratedAlways<number>
type CreatedAt = Generated<Date>

interface TwoFactorColumns {
  two_factor_enabled: Generated<boolean>
  two_factor_secret: string | null
  two_factor_pending_secret: string | null
  two_factor_last_step: number | null
}

interface ClientTable extends TwoFactorColumns {
  id: Id
  first_name: string
  last_name: string
  email: string
  phone_number: Generated<string>
  company_name: Generated<string>
  street_address: Generated<string>
  street_address_2: Generated<string>
  city: Generated<string>
  state: Generated<string>
  postcode: Generated<string>
  password: string
  is_active: Generated<boolean>
  profile_picture: string | null
  is_email_verified: Generated<boolean>
  is_phone_verified: Generated<boolean>
  ticket_count: Generated<number>
  ticket_letters: Generated<boolean>
  unproven_letters: Generated<number>
  created_at: CreatedAt
  updated_at: CreatedAt
  version: GeneratedAlways<number>
  search_text: GeneratedAlways<string>
}
export type ClientRow = Selectable<ClientTable>
export type NewClient = Insertable<ClientTable>

interface StaffTable extends TwoFactorColumns {
  id: Id
  first_name: string
  last_name: string
  email: string
  phone_number: string | null
  password: string
  role: Generated<'admin' | 'supporter'>
  is_active: Generated<boolean>
  profile_picture: string | null
  assignment_letters: Generated<boolean>
  mention_letters: Generated<boolean>
  customer_reply_letters: Generated<boolean>
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

interface SessionTable {
  id: Id
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  network: string | null
  created_at: CreatedAt
  ended_at: Date | null
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

interface LoginChallengeTable {
  id: Id
  user_type: Population
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  password: string
  attempts: Generated<number>
  expires_at: Date
  used_at: Date | null
  created_at: CreatedAt
}

interface ResetTokenTable {
  id: Id
  client_id: number
  expires_at: Date
  used_at: Date | null
  voided_at: Date | null
  created_at: CreatedAt
}

interface SignInFailureTable {
  email: string
  kind: string
  count: number
  first_at: Date
  last_at: Date
  ip_address: string | null
  told_at: Date | null
}

interface EmailChangeTable {
  id: Id
  client_id: number
  former_email: string
  created_at: CreatedAt
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

interface DepartmentTable {
  id: Generated<number>
  deptid: number
  name: string
  description: string | null
  is_active: Generated<boolean>
  created_at: CreatedAt
  version: Generated<number>
}
export type DepartmentRow = Selectable<DepartmentTable>

export type TicketPriority = 'Low' | 'Medium' | 'High' | 'Critical'
export type TicketStatus = 'Open' | 'In Progress' | 'Answered' | 'Customer-Reply' | 'Closed'

interface TicketTable {
  id: Id
  ticket_number: Generated<string>
  client_id: number
  department_id: number
  assigned_staff_id: number | null
  subject: string
  priority: Generated<TicketPriority>
  status: Generated<TicketStatus>
  message_count: Generated<number>
  attachment_count: Generated<number>
  /** Null: since it was opened, if it waits at all. */
  waiting_since: Date | null
  version: GeneratedAlways<number>
  trashed_at: Date | null
  merged_into_id: number | null
  closed_at: GeneratedAlways<Date | null>
  thread_id: GeneratedAlways<string>
  created_at: CreatedAt
  updated_at: CreatedAt
}
export type TicketRow = Selectable<TicketTable>

interface TicketMessageTable {
  id: Id
  ticket_id: number
  client_id: number | null
  staff_id: number | null
  sender_type: Generated<'client' | 'support' | 'admin'>
  sender_first_name: string
  sender_last_name: string
  message: string
  created_at: CreatedAt
}

/** Files are given out when they are `clean`; where nothing looks into them they are so from the start. */
export type ScanState = 'pending' | 'clean' | 'infected'

interface TicketAttachmentTable {
  id: Id
  /** Null for a file of a note: what asks for the files of tickets never meets one. */
  ticket_id: number | null
  message_id: number | null
  note_id: number | null
  file_name: string
  file_path: string
  file_type: string
  file_size: Generated<number>
  sha256: string
  scan_state: Generated<ScanState>
  scan_answer: string | null
  scanned_at: Date | null
  created_at: CreatedAt
}
export type TicketAttachmentRow = Selectable<TicketAttachmentTable>

/** The table is called `letters`, as it was when it was made: e-mails and texts on their way out. */
interface OutboxTable {
  id: Id
  channel: 'mail' | 'text'
  kind: string
  recipient: string
  /** The client whom it tells something of, whoever gets it. */
  client_id: number | null
  sealed_content: string | null
  state: ColumnType<'queued' | 'sent' | 'failed', 'queued' | undefined, 'queued' | 'sent' | 'failed'>
  attempts: Generated<number>
  last_answer: string | null
  request_id: string | null
  created_at: CreatedAt
  settled_at: Date | null
}
export type OutboxRow = Selectable<OutboxTable>

interface InstallationTable {
  is_only: Generated<boolean>
  id: Generated<string>
  location: string | null
  former_ids: Generated<string[]>
  copied_from: Generated<string[]>
  last_sweep: unknown
  swept_at: Date | null
}
