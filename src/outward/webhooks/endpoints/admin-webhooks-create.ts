import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createWebhook as addWebhook, TooManyWebhooks } from '../change-webhooks.ts'
import { Secret, WebhookView, webhookFields, webhookView } from '../schemas.ts'
import { WebhookUrlRefused } from '../target.ts'

/** Adds a webhook, which receives events from now on. Its secret, with which the receiver verifies our signature, is returned only here. */
export const createWebhook = endpoint({
  path: '/api/admin/webhooks/create',
  summary: 'Add a webhook',
  access: 'admin',
  answersSecrets: true,
  body: Type.Object({
    url: webhookFields.url,
    kinds: Type.Optional(webhookFields.kinds),
    include_text: Type.Optional(webhookFields.include_text),
    include_notes: Type.Optional(webhookFields.include_notes),
    include_staff_fields: Type.Optional(webhookFields.include_staff_fields)
  }),
  status: 201,
  data: Type.Object({ webhook: WebhookView, secret: Secret }),
  errors: [WebhookUrlRefused, TooManyWebhooks],
  async handle({ body, actor, caller, services }) {
    const { webhook, secret } = await addWebhook(services, actor, caller, body)
    return { message: 'Webhook created', data: { webhook: webhookView(webhook), secret } }
  }
})
