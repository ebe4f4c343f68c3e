import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { rotateSecret } from '../change-webhooks.ts'
import { Secret, WebhookView, webhookView } from '../schemas.ts'
import { WebhookNotFound } from '../webhooks.ts'

/** Gives a webhook a new secret, which is returned only here. The former one also signs for 24 hours. */
export const rotateWebhookSecret = endpoint({
  path: '/api/admin/webhooks/rotate',
  aliases: ['/api/admin/webhooks/:id/rotate'],
  summary: 'Rotate the secret of a webhook',
  access: 'admin',
  answersSecrets: true,
  body: Type.Object({ id: Id() }),
  synonyms: { webhook_id: 'id' },
  data: Type.Object({ webhook: WebhookView, secret: Secret }),
  errors: [WebhookNotFound],
  async handle({ body, actor, caller, services }) {
    const { webhook, secret } = await rotateSecret(services, actor, caller, body.id)
    return { message: 'The secret was rotated', data: { webhook: webhookView(webhook), secret } }
  }
})
