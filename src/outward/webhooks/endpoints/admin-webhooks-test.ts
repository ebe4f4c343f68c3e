import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { DeliveryView, deliveryView } from '../schemas.ts'
import { sendTest } from '../send-test.ts'
import { WebhookNotFound, WebhookOff } from '../webhooks.ts'

/** Queues a `webhook.test`, which is sent like an event; the delivery shows the result a moment later. */
export const testWebhook = endpoint({
  path: '/api/admin/webhooks/test',
  aliases: ['/api/admin/webhooks/:id/test'],
  summary: 'Send a test event to a webhook',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id() }),
  synonyms: { webhook_id: 'id' },
  data: Type.Object({ delivery: DeliveryView }),
  errors: [WebhookNotFound, WebhookOff],
  async handle({ body, actor, caller, services }) {
    const delivery = await sendTest(services, actor, caller, body.id)
    return { message: 'A test is sent', data: { delivery: deliveryView(delivery) } }
  }
})
