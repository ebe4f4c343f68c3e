import { type Db, prepared } from '../../core/db.ts'
import type { WebhookRow } from '../../core/tables/webhooks.ts'
import { failure } from '../../kit/errors.ts'
import type { Page } from '../../lib/page.ts'

export const WebhookNotFound = failure(404, 'webhook_not_found', 'There is no such webhook')
export const WebhookOff = failure(409, 'webhook_off', 'The webhook is disabled: enable it first')

/** A page of the webhooks, oldest first, and their number. */
export async function webhooksOf(db: Db, { limit, offset }: Page): Promise<{ webhooks: WebhookRow[]; total: number }> {
  const webhooks = await page(db, { limit, offset })
  return { webhooks, total: await countWebhooks(db) }
}

export async function countWebhooks(db: Db): Promise<number> {
  const [counted] = await count(db, {})
  return counted!.total
}

/** Throws `WebhookNotFound`. */
export async function webhookOf(db: Db, id: number): Promise<WebhookRow> {
  const [webhook] = await byId(db, { id })
  if (!webhook) throw WebhookNotFound()
  return webhook
}

/** The same, locked until the transaction ends. Throws `WebhookNotFound`. */
export async function lockedWebhook(db: Db, id: number): Promise<WebhookRow> {
  const [webhook] = await byIdLocked(db, { id })
  if (!webhook) throw WebhookNotFound()
  return webhook
}

/** Throws `WebhookNotFound`, `WebhookOff`. */
export async function activeWebhook(db: Db, id: number): Promise<WebhookRow> {
  const webhook = await webhookOf(db, id)
  if (!webhook.is_active) throw WebhookOff()
  return webhook
}

export const webhookColumns = [
  'id',
  'url',
  'kinds',
  'include_text',
  'include_notes',
  'include_staff_fields',
  'is_active',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'starts_after',
  'missed_after',
  'missed_until',
  'missed_since',
  'version',
  'created_at',
  'updated_at'
] as const

const all = (db: Db) => db.selectFrom('webhooks').select(webhookColumns)

const page = prepared((db, p: { limit: number; offset: number }) =>
  all(db).orderBy('id').limit(p.limit).offset(p.offset)
)

const count = prepared(db => db.selectFrom('webhooks').select(({ fn }) => fn.countAll<number>().as('total')))

const byId = prepared((db, p: { id: number }) => all(db).where('id', '=', p.id))

const byIdLocked = prepared((db, p: { id: number }) => all(db).where('id', '=', p.id).forNoKeyUpdate())
