import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateWebhook as changeWebhook } from '../change-webhooks.ts'
import { WebhookView, webhookFields, webhookView } from '../schemas.ts'
import { WebhookUrlRefused } from '../target.ts'
import { WebhookNotFound } from '../webhooks.ts'

/**
 * Changes the given fields. While a webhook is off nothing is queued for it. Turned on again, it receives events from then on; a replay
 * delivers those that it missed.
 */
export const updateWebhook = endpoint({
  path: '/api/admin/webhooks/update',
  aliases: ['/api/admin/webhooks/:id/update'],
  summary: 'Change a webhook, or turn it on or off',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(),
    url: Type.Optional(webhookFields.url),
    kinds: Type.Optional(webhookFields.kinds),
    is_active: Type.Optional(BooleanInput()),
    include_text: Type.Optional(webhookFields.include_text),
    include_notes: Type.Optional(webhookFields.include_notes),
    include_staff_fields: Type.Optional(webhookFields.include_staff_fields),
    expected_version: ExpectedVersion
  }),
  synonyms: { webhook_id: 'id' },
  data: Type.Object({ webhook: WebhookView }),
  errors: [WebhookNotFound, WebhookUrlRefused, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const webhook = await changeWebhook(services, actor, caller, body)
    return { message: 'Webhook updated', data: { webhook: webhookView(webhook) } }
  }
})
