import { randomBytes } from 'node:crypto'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { WebhookDeliveryRow } from '../../core/tables/webhooks.ts'
import type { Caller } from '../../kit/caller.ts'
import { webhookOf } from './change-webhooks.ts'
import { deliveryOf } from './deliveries.ts'
import { activeWebhook } from './webhooks.ts'

/** Queues a `webhook.test`, which has an id of its own. Throws `WebhookNotFound`, `WebhookOff`. */
export async function sendTest(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  id: number
): Promise<WebhookDeliveryRow> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const webhook = await activeWebhook(db, id)
    const messageId = `test_${randomBytes(12).toString('base64url')}`
    const [delivery] = await insert(db, { webhook: id, messageId, now: services.realClock.now() })
    act.happened({ kind: 'webhook.tested', subject: webhookOf(webhook), after: { delivery_id: delivery!.id } })
    return await deliveryOf(db, delivery!.id)
  })
}

const insert = prepared((db, p: { webhook: number; messageId: string; now: Date }) =>
  db
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: p.webhook,
      message_id: p.messageId,
      kind: 'webhook.test',
      due_at: p.now,
      created_at: p.now
    })
    .returning('id')
)
