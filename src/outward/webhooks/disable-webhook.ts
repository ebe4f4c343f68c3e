import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { addToOutbox, type Sender } from '../../mail/outbox/add-to-outbox.ts'

const batchSize = 1_000
/** The rest waits for the next sweep. */
const maxBatches = 1_000

/** The services needed to turn a webhook off. */
export type WebhookServices = Sender & Pick<Services, 'db' | 'realClock'>

/**
 * Turns a webhook off because its receiver is gone or keeps failing, and notifies the admins. This happens once, even if several processes
 * notice; what was queued counts as failed.
 */
export async function disableWebhook(services: WebhookServices, id: number, reason: 'gone' | 'failing'): Promise<void> {
  await act(services, system, async act => {
    const { db } = act
    const [webhook] = await turnOff(db, { id, reason, now: services.realClock.now() })
    if (!webhook) return
    const { origin } = new URL(webhook.url)
    const values = {
      'webhook.id': String(id),
      // Only the origin of its URL, which contains no secret.
      'webhook.origin': origin,
      gone: reason === 'gone',
      failing: reason === 'failing'
    }
    for (const { id: staffId, email: recipient } of await admins(db, {})) {
      await addToOutbox(services, db, {
        kind: 'staff-webhook-disabled',
        channel: 'mail',
        recipient,
        reader: { population: 'staff', id: staffId },
        email: { template: 'staff-webhook-disabled', values }
      })
    }
    act.happened({ kind: 'webhook.disabled', subject: { type: 'webhook', id }, after: { origin, reason } })
  })
  await failPending(services, id)
}

/** Fails all that is queued for a webhook that is off, in batches, so that a replay delivers it. */
export async function failPending(
  { db, realClock }: Pick<Services, 'db' | 'realClock'>,
  webhookId: number
): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const settled = await settlePending(db, { webhook: webhookId, now: realClock.now(), limit: batchSize })
    if (settled.length < batchSize) return
  }
}

const turnOff = prepared((db, p: { id: number; reason: 'gone' | 'failing'; now: Date }) =>
  db
    .updateTable('webhooks')
    .set(eb => ({
      is_active: false,
      disabled_reason: p.reason,
      disabled_at: p.now,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
    .where('id', '=', p.id)
    .where('is_active', '=', sql.lit(true))
    .returning('url')
)

const admins = prepared(db =>
  db
    .selectFrom('staff')
    .where('role', '=', sql.lit('admin' as const))
    .where('is_active', '=', sql.lit(true))
    .select(['id', 'email'])
    .orderBy('id')
)

const settlePending = prepared((db, p: { webhook: number; now: Date; limit: number }) =>
  db
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', settled_at: p.now, last_error: 'The webhook was turned off' })
    .where('id', 'in', db =>
      db
        .selectFrom('webhook_deliveries')
        .where('webhook_id', '=', p.webhook)
        .where('settled_at', 'is', null)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('webhooks').where('id', '=', p.webhook).where('is_active', '=', sql.lit(true)).select('id')
            )
          )
        )
        .select('id')
        .orderBy('id')
        .limit(p.limit)
        .forUpdate()
        .skipLocked()
    )
    .returning('id')
)
