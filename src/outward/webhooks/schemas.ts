import { type Static, Type } from 'typebox'
import { type EventKind, eventKinds } from '../../core/events/catalogue.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from '../../core/tables/webhooks.ts'
import { BooleanInput, Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'

const kinds = Object.keys(eventKinds) as EventKind[]

/** The fields of a webhook that an admin sets. */
export const webhookFields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    examples: ['https://crm.example.com/deskline'],
    'x-trim': true
  }),
  kinds: Type.Array(OneOf(kinds, 'ticket.created'), {
    maxItems: kinds.length,
    'x-one': true,
    description: 'None for all, also those that are added later.',
    examples: [['ticket.created', 'ticket.replied']]
  }),
  include_text: BooleanInput(0),
  include_notes: BooleanInput(0),
  include_staff_fields: {
    ...BooleanInput(0),
    description: '1: it also gets events about custom fields of which clients know nothing.'
  }
}

/** The secret of a webhook, returned only when it is made. */
export const Secret = OutputText('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfMz3uCbUQ=')

/** A day or a time in UTC, as in other fields or in ISO 8601. */
export function Since(): ReturnType<typeof Type.String> {
  return Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z?)?$',
    maxLength: 30,
    examples: ['2026-11-20 08:28:31'],
    'x-trim': true,
    'x-invalid': 'Times are written YYYY-MM-DD or YYYY-MM-DD HH:MM:SS (UTC)'
  })
}

export const WebhookView = Type.Object({
  id: Id(),
  url: OutputText('https://crm.example.com/deskline'),
  kinds: Type.Array(OutputText('ticket.created')),
  include_text: Flag(0),
  include_notes: Flag(0),
  include_staff_fields: Flag(0),
  is_active: Flag(),
  disabled_reason: Nullable(OutputText('failing')),
  disabled_at: Nullable(Timestamp()),
  failing_since: Nullable(Timestamp()),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export function webhookView(webhook: WebhookRow): Static<typeof WebhookView> {
  return {
    ...webhook,
    include_text: bit(webhook.include_text),
    include_notes: bit(webhook.include_notes),
    include_staff_fields: bit(webhook.include_staff_fields),
    is_active: bit(webhook.is_active),
    disabled_at: shownTime(webhook.disabled_at),
    failing_since: shownTime(webhook.failing_since),
    created_at: timestamp(webhook.created_at),
    updated_at: timestamp(webhook.updated_at)
  }
}

export const deliveryStates = ['queued', 'retrying', 'delivered', 'failed'] as const

export const DeliveryView = Type.Object({
  id: Id(),
  webhook_id: Id(),
  event_id: Nullable(Id(4711)),
  message_id: OutputText('4711'),
  kind: OutputText('ticket.created'),
  ticket_id: Nullable(Id()),
  state: OneOf(deliveryStates),
  attempts: Type.Integer({ minimum: 0, examples: [1] }),
  last_status: Nullable(Type.Integer({ examples: [503] })),
  last_error: Nullable(OutputText('The connection failed: ECONNREFUSED')),
  next_attempt_at: Nullable(Timestamp()),
  settled_at: Nullable(Timestamp()),
  created_at: Timestamp()
})

export function deliveryView(delivery: WebhookDeliveryRow): Static<typeof DeliveryView> {
  return {
    ...delivery,
    next_attempt_at: delivery.settled_at ? null : timestamp(delivery.due_at),
    settled_at: shownTime(delivery.settled_at),
    created_at: timestamp(delivery.created_at)
  }
}

export const AttemptView = Type.Object({
  number: Type.Integer({ minimum: 1, examples: [1] }),
  status: Nullable(Type.Integer({ examples: [503] })),
  error: Nullable(OutputText('The connection failed: ECONNREFUSED')),
  answer: Nullable(OutputText('Please come back later')),
  duration_milliseconds: Type.Integer({ minimum: 0, examples: [212] }),
  started_at: Timestamp()
})

export function attemptView(attempt: WebhookAttemptRow): Static<typeof AttemptView> {
  return { ...attempt, started_at: timestamp(attempt.started_at) }
}

function shownTime(time: Date | null): string | null {
  return time && timestamp(time)
}
