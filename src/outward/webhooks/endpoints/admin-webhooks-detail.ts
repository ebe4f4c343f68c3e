import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { WebhookView, webhookView } from '../schemas.ts'
import { WebhookNotFound, webhookOf } from '../webhooks.ts'

export const showWebhook = endpoint({
  path: '/api/admin/webhooks/detail',
  aliases: ['/api/admin/webhooks/:id', '/api/admin/webhooks/:id/detail'],
  summary: 'Show a webhook',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  synonyms: { webhook_id: 'id' },
  data: Type.Object({ webhook: WebhookView }),
  errors: [WebhookNotFound],
  async handle({ body, services }) {
    return { message: 'Webhook', data: { webhook: webhookView(await webhookOf(services.db, body.id)) } }
  }
})
