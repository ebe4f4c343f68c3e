import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { WebhookView, webhookView } from '../schemas.ts'
import { webhooksOf } from '../webhooks.ts'

const limits = { fallback: 100, max: 1000 }

/** Lists all webhooks, including those that are off. Secrets are never returned again. */
export const listWebhooks = endpoint({
  path: '/api/admin/webhooks/list',
  aliases: ['/api/admin/webhooks'],
  summary: 'List the webhooks',
  access: 'admin',
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({
    ...pagedFields,
    webhooks: Type.Array(WebhookView)
  }),
  async handle({ body, services }) {
    const page = pageOf(body, limits)
    const { webhooks, total } = await webhooksOf(services.db, page)
    return {
      message: 'Webhooks',
      data: {
        ...paged(webhooks, total, page),
        webhooks: webhooks.map(webhookView)
      }
    }
  }
})
