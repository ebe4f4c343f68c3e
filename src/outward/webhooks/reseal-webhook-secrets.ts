import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { webhookSecretPurpose } from '../../people/auth/sealed-secrets.ts'

/**
 * Re-encrypts webhook secrets that a former APP_SECRET encrypted; returns how many. It may run beside a service, and again after an
 * interruption. Throws if none of our secrets decrypts one.
 */
export async function resealWebhookSecrets({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<number> {
  let resealed = 0
  for (const { id, webhook_id, sealed_secret } of await all(db, {})) {
    const to = keys.reseal(webhookSecretPurpose(webhook_id), sealed_secret)
    if (to !== undefined) resealed += (await replace(db, { id, from: sealed_secret, to })).length
  }
  return resealed
}

// There are few webhooks, and few secrets of each.
const all = prepared(db => db.selectFrom('webhook_secrets').select(['id', 'webhook_id', 'sealed_secret']).orderBy('id'))

const replace = prepared((db, p: { id: number; from: string; to: string }) =>
  db
    .updateTable('webhook_secrets')
    .set({ sealed_secret: p.to })
    .where('id', '=', p.id)
    .where('sealed_secret', '=', p.from)
    .returning('id')
)
