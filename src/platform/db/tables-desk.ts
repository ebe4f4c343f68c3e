import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'
import type { TicketStatus } from './tables.ts'

type Id = GeneratedAlways<number>
type CreatedAt = Generated<Date>

/** The tables that staff work with beyond the contract's own. */
export interface DeskTables {
  ticket_notes: TicketNoteTable
  tags: TagTable
  ticket_tags: { ticket_id: number; tag_id: number }
  ticket_watchers: { ticket_id: number; staff_id: number; created_at: CreatedAt }
  department_members: { department_id: number; staff_id: number; created_at: CreatedAt }
  department_moves: DepartmentMoveTable
  canned_replies: CannedReplyTable
  ticket_events: TicketEventTable
  audit_log: AuditTable
  search_state: { only_row: Generated<boolean>; language: string }
  ticket_words: { ticket_id: number; words: string; label: string }
  message_words: { message_id: number; words: string }
  note_words: { note_id: number; words: string }
  client_words: { client_id: number; words: string; label: string }
  recovery_codes: RecoveryCodeTable
  staff_reset_tokens: StaffResetTokenTable
  desk_settings: DeskSettingTable
  desk_logo: DeskLogoTable
  ticket_counts: TicketCountTable
  audit_head: { only_row: Generated<boolean>; last_id: number; last_hash: string; seal: string }
}

/** Who does something that is recorded. */
export type ActorType = 'client' | 'staff' | 'system'

interface TicketNoteTable {
  id: Id
  ticket_id: number
  staff_id: number | null
  author_first_name: string
  author_last_name: string
  note: string
  created_at: CreatedAt
}

interface TagTable {
  id: Id
  name: string
  color: Generated<string>
  created_at: CreatedAt
  version: GeneratedAlways<number>
}
export type TagRow = Selectable<TagTable>

interface CannedReplyTable {
  id: Id
  staff_id: number | null
  title: string
  text: string
  created_at: CreatedAt
  updated_at: CreatedAt
  version: GeneratedAlways<number>
}
export type CannedReplyRow = Selectable<CannedReplyTable>

interface RecoveryCodeTable {
  id: Id
  user_type: 'client' | 'staff'
  user_id: number
  client_id: GeneratedAlways<number | null>
  staff_id: GeneratedAlways<number | null>
  digest: string
  used_at: Date | null
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

interface DeskSettingTable {
  name: string
  value: ColumnType<unknown, string, string>
  updated_at: CreatedAt
}

interface DeskLogoTable {
  is_only: Generated<boolean>
  content: Buffer
  type: string
  sha256: string
  uploaded_at: Date
}

/** What is counted is neither in the trash nor merged away. Several rows may be of the same: their sum counts. */
interface TicketCountTable {
  id: Id
  department_id: number
  status: TicketStatus
  assigned_staff_id: number | null
  tickets: number
  is_sum: Generated<boolean>
}

interface TicketEventTable {
  id: Id
  ticket_id: number
  kind: string
  actor_type: ActorType
  actor_id: number | null
  actor_name: string
  before: JSONColumnType<object | null, string | null, string | null>
  after: JSONColumnType<object | null, string | null, string | null>
  ip_address: string | null
  request_id: string | null
  created_at: CreatedAt
  /** When it was decided whom an e-mail tells of it, if anybody. */
  told_at: Date | null
  /** No e-mail could be made: it counts as if it had happened then. */
  postponed_to: Date | null
}

/** A department that is deleted once its tickets are in another one. */
interface DepartmentMoveTable {
  department_id: number
  to_department_id: number
  was_active: boolean
  actor_type: ActorType
  actor_id: number | null
  actor_name: string
  ip_address: string | null
  request_id: string | null
  tickets_moved: Generated<number>
  created_at: Date
  /** When tickets were moved last. */
  worked_at: Date
}

interface AuditTable {
  id: number
  action: string
  actor_type: ActorType
  actor_id: number | null
  actor_name: string
  target_type: string
  target_id: number | null
  before: JSONColumnType<object | null, string | null, string | null>
  after: JSONColumnType<object | null, string | null, string | null>
  ip_address: string | null
  request_id: string | null
  created_at: Date
  previous_hash: string
  hash: string
  /** Of the name, the network address and the id of the request, and of what was before and after; null in older rows. */
  actor_digest: string | null
  change_digest: string | null
  /** Where something was taken out of the row since: the row as that left it. */
  redaction_seal: string | null
}
export type AuditRow = Selectable<AuditTable>
