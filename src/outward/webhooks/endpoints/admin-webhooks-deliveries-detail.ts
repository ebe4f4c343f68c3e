import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { attemptsOf, DeliveryNotFound, deliveryOf } from '../deliveries.ts'
import { AttemptView, attemptView, DeliveryView, deliveryView } from '../schemas.ts'

/** Returns a delivery with its attempts, each with the first 2 KB of the receiver's response. */
export const showWebhookDelivery = endpoint({
  path: '/api/admin/webhooks/deliveries/detail',
  aliases: ['/api/admin/webhooks/deliveries/:id/detail'],
  summary: 'Show a delivery with its attempts',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  synonyms: { delivery_id: 'id' },
  data: Type.Object({ delivery: DeliveryView, attempts: Type.Array(AttemptView) }),
  errors: [DeliveryNotFound],
  async handle({ body, services }) {
    const delivery = await deliveryOf(services.db, body.id)
    const attempts = await attemptsOf(services.db, body.id)
    return {
      message: 'Delivery',
      data: { delivery: deliveryView(delivery), attempts: attempts.map(attemptView) }
    }
  }
})
