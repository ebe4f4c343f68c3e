import { type Db, prepared } from '../../core/db.ts'
import type { DeliveryState, WebhookAttemptRow, WebhookDeliveryRow } from '../../core/tables/webhooks.ts'
import { failure } from '../../kit/errors.ts'
import type { Page } from '../../lib/page.ts'

export const DeliveryNotFound = failure(404, 'webhook_delivery_not_found', 'There is no such delivery')

/** Counting stops there. */
const maxCounted = 10_000

/** A page of the deliveries of a webhook, newest first, and their number up to `maxCounted`. */
export async function deliveriesOf(
  db: Db,
  { webhook, state }: { webhook: number; state?: DeliveryState },
  { limit, offset }: Page
): Promise<{ deliveries: WebhookDeliveryRow[]; total: number }> {
  const which = { webhook, states: state ? [state] : everyState }
  const deliveries = await page(db, { ...which, limit, offset })
  const [counted] = await count(db, { ...which, most: maxCounted })
  return { deliveries, total: counted!.total }
}

/** Throws `DeliveryNotFound`. */
export async function deliveryOf(db: Db, id: number): Promise<WebhookDeliveryRow> {
  const [delivery] = await byId(db, { id })
  if (!delivery) throw DeliveryNotFound()
  return delivery
}

/** The attempts of a delivery, in order. */
export async function attemptsOf(db: Db, delivery: number): Promise<WebhookAttemptRow[]> {
  return await attempts(db, { delivery })
}

const everyState: readonly DeliveryState[] = ['queued', 'retrying', 'delivered', 'failed']

const columns = [
  'id',
  'webhook_id',
  'event_id',
  'message_id',
  'kind',
  'ticket_id',
  'client_id',
  'state',
  'attempts',
  'failures',
  'last_status',
  'last_error',
  'is_scrubbed',
  'due_at',
  'started_at',
  'settled_at',
  'created_at'
] as const

// Deliveries of deleted webhooks are hidden until a sweep removes them.
const kept = (db: Db) =>
  db
    .selectFrom('webhook_deliveries')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('webhooks').whereRef('webhooks.id', '=', 'webhook_id').select('webhooks.id'))
    )

const ofWebhook = (db: Db, p: { webhook: number; states: readonly DeliveryState[] }) =>
  kept(db)
    .where('webhook_id', '=', p.webhook)
    .where('state', '=', ({ fn, val }) => fn.any(val(p.states)))

const page = prepared((db, p: { webhook: number; states: readonly DeliveryState[]; limit: number; offset: number }) =>
  ofWebhook(db, p).select(columns).orderBy('id', 'desc').limit(p.limit).offset(p.offset)
)

const count = prepared((db, p: { webhook: number; states: readonly DeliveryState[]; most: number }) =>
  db
    .selectFrom(ofWebhook(db, p).select('id').limit(p.most).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
)

const byId = prepared((db, p: { id: number }) => kept(db).where('id', '=', p.id).select(columns))

const attempts = prepared((db, p: { delivery: number }) =>
  db
    .selectFrom('webhook_attempts')
    .where('delivery_id', '=', p.delivery)
    .select(['id', 'delivery_id', 'number', 'status', 'error', 'answer', 'duration_milliseconds', 'started_at'])
    .orderBy('id')
    .limit(1_000)
)
