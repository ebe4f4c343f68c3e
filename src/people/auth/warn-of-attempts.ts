import { transaction } from '../../core/db.ts'
import { accountOfKey } from '../../core/rate-limits/attempts.ts'
import { isWithin } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { accountByEmail, recipientOf } from './accounts.ts'

const daySeconds = 86_400

/**
 * Notifies the owner of an account by e-mail, at most once a day, that somebody is trying passwords. `key` is that of `accountKey`; the
 * account may not exist.
 */
export async function warnOfAttempts(services: Services, key: string): Promise<void> {
  const { population, email } = accountOfKey(key)
  const account = await accountByEmail(services.db, population, email)
  if (!account?.is_active) return
  await transaction(services.db, async db => {
    const today = { key: `warned:${key}`, kind: 'warned', most: 1, seconds: daySeconds }
    // Counted in the transaction, so that an e-mail that could not be queued is retried.
    if (!(await isWithin({ ...services, db }, today))) return
    await addToOutbox(services, db, {
      kind: 'password-attempts',
      channel: 'mail',
      recipient: await recipientOf(db, account),
      clientId: account.population === 'client' ? account.id : undefined,
      reader: account,
      email: { template: 'password-attempts', values: {} }
    })
  })
}
