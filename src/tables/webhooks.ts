import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Id } from './columns.ts'

export interface WebhookTables {
  webhooks: WebhookTable
  webhook_secrets: WebhookSecretTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_attempts: WebhookAttemptTable
}

interface WebhookTable {
  id: Id
  url: string
  /** Empty for all. */
  kinds: ColumnType<string[], readonly string[], readonly string[]>
  include_text: boolean
  include_notes: boolean
  is_active: Generated<boolean>
  /** Why Deskline turned it off by itself, if it did: the receiver said that it is gone, or did nothing but fail. */
  disabled_reason: 'gone' | 'failing' | null
  disabled_at: Date | null
  /** Since when every attempt has failed. */
  failing_since: Date | null
  /** Events up to this place in the log are queued. */
  place: number
  /** What was missed behind the first place up to the second, and happened since then, is still to be queued. */
  missed_after: number | null
  missed_until: number | null
  missed_since: Date | null
  version: Generated<number>
  created_at: Date
  updated_at: Date
}
export type WebhookRow = Selectable<WebhookTable>

interface WebhookSecretTable {
  id: Id
  webhook_id: number
  sealed_secret: string
  /** Null for the one in force; a former one signs along until then. */
  retires_at: Date | null
  created_at: Generated<Date>
}

/** `queued` was not answered yet, `retrying` has failed and is tried again. */
export type DeliveryState = 'queued' | 'retrying' | 'delivered' | 'failed'

interface WebhookDeliveryTable {
  id: Id
  webhook_id: number
  /** The place of the event in the log; null for a test. */
  event_id: number | null
  message_id: string
  kind: string
  ticket_id: number | null
  client_id: number | null
  state: Generated<DeliveryState>
  attempts: Generated<number>
  failures: Generated<number>
  last_status: number | null
  last_error: string | null
  /** Its client was erased: answers are no longer kept, since they may repeat what was sent. */
  is_scrubbed: Generated<boolean>
  /** When it is tried next. While an attempt runs, when that one counts as lost. */
  due_at: Date
  started_at: Date | null
  settled_at: Date | null
  created_at: Date
}
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>

interface WebhookAttemptTable {
  id: Id
  delivery_id: number
  number: number
  status: number | null
  error: string | null
  answer: string | null
  duration_milliseconds: number
  started_at: Date
}
export type WebhookAttemptRow = Selectable<WebhookAttemptTable>
