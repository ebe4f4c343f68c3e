import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { type Db, prepared } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import { secondsAfter } from '../../lib/time.ts'
import { webhookSecretPurpose } from '../../people/auth/sealed-secrets.ts'
import { NotSent } from '../../platform/outgoing/outgoing.ts'

/** How long a former secret also signs. */
const overlapSeconds = 86_400
/** The limit of former secrets, since each costs a signature and room in a header. */
const maxOldSecrets = 10

/** Adds a secret to a webhook; the former ones also sign for a day. Returns it in plain text. */
export async function addSecret(keys: Keys, db: Db, webhookId: number, now: Date): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await retire(db, { webhook: webhookId, at: secondsAfter(now, overlapSeconds) })
  await drop(db, { webhook: webhookId, now, most: maxOldSecrets })
  await insert(db, { webhook: webhookId, sealed: keys.seal(webhookSecretPurpose(webhookId), secret), now })
  return secret
}

/** The headers of one attempt (Standard Webhooks), with a signature by each secret in force, the newest first. Throws `NotSent`. */
export async function signedHeaders(
  keys: Keys,
  db: Db,
  { webhookId, messageId, body, now }: { webhookId: number; messageId: string; body: string; now: Date }
): Promise<Record<string, string>> {
  const secrets = await inForce(db, { webhook: webhookId, now })
  const signatures = secrets.map(({ sealed_secret }) =>
    new Webhook(opened(keys, webhookId, sealed_secret)).sign(messageId, now, body)
  )
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' ')
  }
}

function opened(keys: Keys, webhookId: number, sealed: string): string {
  try {
    return keys.unseal(webhookSecretPurpose(webhookId), sealed)
  } catch {
    throw new NotSent('The secret of the webhook does not open with APP_SECRET: rotate it')
  }
}

const retire = prepared((db, p: { webhook: number; at: Date }) =>
  db
    .updateTable('webhook_secrets')
    .set({ retires_at: p.at })
    .where('webhook_id', '=', p.webhook)
    .where('retires_at', 'is', null)
)

const drop = prepared((db, p: { webhook: number; now: Date; most: number }) =>
  db
    .deleteFrom('webhook_secrets')
    .where('webhook_id', '=', p.webhook)
    .where('id', 'not in', db =>
      db
        .selectFrom('webhook_secrets as kept')
        .where('kept.webhook_id', '=', p.webhook)
        .where('kept.retires_at', '>', p.now)
        .select('kept.id')
        .orderBy('kept.id', 'desc')
        .limit(p.most)
    )
)

const insert = prepared((db, p: { webhook: number; sealed: string; now: Date }) =>
  db.insertInto('webhook_secrets').values({ webhook_id: p.webhook, sealed_secret: p.sealed, created_at: p.now })
)

const inForce = prepared((db, p: { webhook: number; now: Date }) =>
  db
    .selectFrom('webhook_secrets')
    .where('webhook_id', '=', p.webhook)
    .where(({ or, eb }) => or([eb('retires_at', 'is', null), eb('retires_at', '>', p.now)]))
    .select('sealed_secret')
    .orderBy('id', 'desc')
)
