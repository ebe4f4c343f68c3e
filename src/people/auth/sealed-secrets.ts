import { sql } from 'kysely'
import type { Services } from '../../core/services.ts'
import type { Population } from '../../core/tables/columns.ts'
import { mailboxSecretsPurpose } from '../../mail/mailboxes/connected-mailboxes.ts'
import { sealPurpose } from './second-factor.ts'

/** The encryption purpose of a webhook's secrets. */
export function webhookSecretPurpose(webhookId: number): string {
  return `webhook ${webhookId}`
}

/** That of the secrets by which sites sign who their visitors are. */
export const widgetSecretPurpose = 'widget'

/**
 * Whether our keys decrypt the secrets in the database: false if it has second factors, secrets of webhooks or of the widget, or connected mailboxes and none of the newest can be
 * decrypted, as with a lost key file or another APP_SECRET.
 */
export async function canOpenSecrets({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<boolean> {
  const { rows } = await sql<{ of: Population | SealedFor; id: number; secret: string }>`
    (select 'client' as of, id, two_factor_secret as secret from clients
      where two_factor_secret is not null order by updated_at desc limit 3)
    union all
    (select 'staff', id, two_factor_secret from staff
      where two_factor_secret is not null order by updated_at desc limit 3)
    union all
    (select 'webhook', webhook_id, sealed_secret from webhook_secrets order by id desc limit 3)
    union all
    (select 'widget', id, sealed_secret from widget_secrets order by id desc limit 3)
    union all
    (select 'mailbox', id, sealed_secrets from connected_mailboxes order by id desc limit 3)`.execute(db)
  return rows.length === 0 || rows.some(({ secret, of, id }) => opens(keys, purposeOf(of, id), secret))
}

type SealedFor = 'webhook' | 'widget' | 'mailbox'

function purposeOf(of: Population | SealedFor, id: number): string {
  if (of === 'widget') return widgetSecretPurpose
  if (of === 'mailbox') return mailboxSecretsPurpose
  return of === 'webhook' ? webhookSecretPurpose(id) : sealPurpose({ population: of, id })
}

function opens(keys: Services['keys'], purpose: string, sealed: string): boolean {
  try {
    keys.unseal(purpose, sealed)
    return true
  } catch {
    return false
  }
}
