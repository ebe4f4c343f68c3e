import { Type } from 'typebox'
import { InUse } from '../../../core/definitions/uses.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteWebhook as removeWebhook } from '../change-webhooks.ts'
import { WebhookNotFound } from '../webhooks.ts'

/** Deletes a webhook permanently, with its secrets and deliveries; nothing more is sent. */
export const deleteWebhook = endpoint({
  path: '/api/admin/webhooks/delete',
  aliases: ['/api/admin/webhooks/:id/delete'],
  summary: 'Delete a webhook',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  synonyms: { webhook_id: 'id' },
  data: Type.Object({ deleted_id: Id() }),
  errors: [WebhookNotFound, VersionConflict, InUse],
  async handle({ body, actor, caller, services }) {
    await removeWebhook(services, actor, caller, body)
    return { message: 'Webhook deleted', data: { deleted_id: body.id } }
  }
})
