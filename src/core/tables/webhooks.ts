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
  /** Empty for all kinds. */
  kinds: ColumnType<string[], readonly string[], readonly string[]>
  include_text: boolean
  include_notes: boolean
  /** Whether it gets events about custom fields of which clients know nothing. */
  include_staff_fields: Generated<boolean>
  is_active: Generated<boolean>
  /** Why it was disabled automatically, if it was: the receiver answered that it is gone, or every attempt failed. */
  disabled_reason: 'gone' | 'failing' | null
  disabled_at: Date | null
  /** When the present run of failed attempts began. */
  failing_since: Date | null
  /** It receives the events after this position in the log: where the log was when it was last turned on. */
  starts_after: number
  /** Events missed after the first position up to the second, and since that time, are still to be queued. */
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
  /** Null for the active one; a former one also signs until then. */
  retires_at: Date | null
  created_at: Generated<Date>
}

/** `queued`: no attempt was made yet; `retrying`: it has failed and will be retried. */
export type DeliveryState = 'queued' | 'retrying' | 'delivered' | 'failed'

interface WebhookDeliveryTable {
  id: Id
  webhook_id: number
  /** The event's position in the log; null for a test. */
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
  /** Its client was erased: responses are no longer stored, since they may repeat what was sent. */
  is_scrubbed: Generated<boolean>
  /** The next attempt; during an attempt, the time at which it counts as lost. */
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
