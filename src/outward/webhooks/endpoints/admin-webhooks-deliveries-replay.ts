import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { InvalidFields, MissingFields } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { DeliveryNotFound } from '../deliveries.ts'
import { replayDelivery, replaySince, sinceOf } from '../replay.ts'
import { DeliveryView, deliveryView, Since } from '../schemas.ts'
import { WebhookNotFound, WebhookOff } from '../webhooks.ts'

/**
 * Delivers again: with `id` one delivery, whatever its state; with `webhook_id` and `since` all that have failed since then, and the events
 * since then for which the webhook was off. `count` is the number of deliveries requeued at once; missed events are queued later.
 */
export const replayWebhookDeliveries = endpoint({
  path: '/api/admin/webhooks/deliveries/replay',
  aliases: ['/api/admin/webhooks/deliveries/:id/replay'],
  summary: 'Replay deliveries of a webhook',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Type.Optional(Id()),
    webhook_id: Type.Optional(Id()),
    since: Type.Optional(Since())
  }),
  synonyms: { delivery_id: 'id' },
  data: Type.Object({
    count: Type.Integer({ minimum: 0, examples: [1] }),
    delivery: Type.Optional(DeliveryView)
  }),
  errors: [DeliveryNotFound, WebhookNotFound, WebhookOff],
  async handle({ body: { id, webhook_id: webhookId, since }, actor, caller, services }) {
    if (id !== undefined) {
      if (since !== undefined) throw InvalidFields({ message: 'Send id, or webhook_id and since', errors: ['since'] })
      const delivery = await replayDelivery(services, actor, caller, id)
      return { message: 'It is delivered once more', data: { count: 1, delivery: deliveryView(delivery) } }
    }
    if (webhookId === undefined || since === undefined) {
      const missing = webhookId === undefined && since === undefined ? ['id'] : webhookId ? ['since'] : ['webhook_id']
      throw MissingFields({ message: `Missing required fields: ${missing}`, errors: missing })
    }
    const count = await replaySince(services, actor, caller, { webhookId, since: sinceOf(since) })
    return { message: 'What failed or was missed is delivered once more', data: { count } }
  }
})
