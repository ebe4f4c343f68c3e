import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, OneOf } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { deliveriesOf } from '../deliveries.ts'
import { DeliveryView, deliveryStates, deliveryView } from '../schemas.ts'
import { WebhookNotFound, webhookOf } from '../webhooks.ts'

const limits = { fallback: 100, max: 1000 }

/** Lists the deliveries of a webhook, sent or waiting, newest first. */
export const listWebhookDeliveries = endpoint({
  path: '/api/admin/webhooks/deliveries/list',
  aliases: ['/api/admin/webhooks/deliveries'],
  summary: 'List the deliveries of a webhook',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    webhook_id: Id(),
    state: Type.Optional(OneOf(deliveryStates)),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    total: Type.Integer({ description: 'The number of matches, counted up to 10,000.' }),
    deliveries: Type.Array(DeliveryView)
  }),
  errors: [WebhookNotFound],
  async handle({ body, services }) {
    const page = pageOf(body, limits)
    const { id: webhook } = await webhookOf(services.db, body.webhook_id)
    const { deliveries, total } = await deliveriesOf(services.db, { webhook, state: body.state }, page)
    return {
      message: 'Deliveries',
      data: {
        ...paged(deliveries, total, page),
        deliveries: deliveries.map(deliveryView)
      }
    }
  }
})
