import { randomBytes } from 'node:crypto'
import type { StaffActor } from '../actor.ts'
import { auditActorOf } from '../audit/audit-actor.ts'
import { record } from '../audit/record.ts'
import { prepared, transaction } from '../db.ts'
import type { Caller } from '../kit/caller.ts'
import type { Services } from '../services.ts'
import type { WebhookDeliveryRow } from '../tables/webhooks.ts'
import { targetOf } from './change-webhooks.ts'
import { deliveryOf } from './deliveries.ts'
import { activeWebhook } from './webhooks.ts'

/** Queues a `webhook.test`, which has an id of its own. Throws `WebhookNotFound`, `WebhookOff`. */
export async function sendTest(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  id: number
): Promise<WebhookDeliveryRow> {
  return await transaction(services.db, async db => {
    const webhook = await activeWebhook(db, id)
    const messageId = `test_${randomBytes(12).toString('base64url')}`
    const [delivery] = await insert(db, { webhook: id, messageId, now: services.clock.now() })
    const event = { action: 'webhook.tested', target: targetOf(webhook), after: { delivery_id: delivery!.id } } as const
    await record(services, db, auditActorOf(actor, caller), event)
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
