import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { ActorType } from './columns.ts'

export interface AuditTables {
  audit_log: AuditTable
  audit_head: { only_row: Generated<boolean>; last_id: number; last_hash: string; seal: string }
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
  /** Digests of the actor's name, network address and request id, and of before and after; null in older rows. */
  actor_digest: string | null
  change_digest: string | null
  /** If data was removed from the row since: a seal over the row as that left it. */
  redaction_seal: string | null
}
export type AuditRow = Selectable<AuditTable>
