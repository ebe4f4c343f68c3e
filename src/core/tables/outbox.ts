import type { ColumnType, Generated, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface OutboxTables {
  outbox_messages: OutboxTable
}

/** Outgoing e-mails and text messages. */
interface OutboxTable {
  id: Id
  channel: 'mail' | 'text'
  kind: string
  recipient: string
  /** The client whom it is about, whoever gets it. */
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
