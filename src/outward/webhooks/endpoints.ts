import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createWebhook } from './endpoints/admin-webhooks-create.ts'
import { deleteWebhook } from './endpoints/admin-webhooks-delete.ts'
import { showWebhookDelivery } from './endpoints/admin-webhooks-deliveries-detail.ts'
import { listWebhookDeliveries } from './endpoints/admin-webhooks-deliveries-list.ts'
import { replayWebhookDeliveries } from './endpoints/admin-webhooks-deliveries-replay.ts'
import { showWebhook } from './endpoints/admin-webhooks-detail.ts'
import { listWebhooks } from './endpoints/admin-webhooks-list.ts'
import { rotateWebhookSecret } from './endpoints/admin-webhooks-rotate.ts'
import { testWebhook } from './endpoints/admin-webhooks-test.ts'
import { updateWebhook } from './endpoints/admin-webhooks-update.ts'

export const webhooksEndpoints: readonly AnyEndpoint[] = [
  listWebhooks,
  createWebhook,
  showWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  showWebhookDelivery,
  replayWebhookDeliveries
]
