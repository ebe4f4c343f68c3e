import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { accountKey, deleteAttempts } from '../../core/rate-limits/attempts.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import { addToOutbox, type Sender } from '../../mail/outbox/add-to-outbox.ts'
import { emailInForce } from './email-in-force.ts'
import { endSignIns, invalidateResetLinks } from './end-sign-ins.ts'
import { invalidateResetLinksTo } from './reset-link.ts'

/** How a password is changed: by its owner with the former one or a reset link, by an admin, or by a command of the operator. */
type PasswordChangedBy = 'password' | 'reset-link' | 'admin' | 'command'

export interface NewPassword {
  /** The new password in its stored form. */
  to: string
  /** The stored form that it replaces, if the caller has verified it: nothing is changed if the stored one differs by now. */
  from?: string
  by: PasswordChangedBy
  /** The only session that does not end. */
  keepSession?: number
}

/**
 * Sets the password of an existing account; nothing else does. Sessions, unfinished logins and reset links of the former password end. A link
 * that was sent to a former address, by which its owner takes the account back, stays unless the password is set by a link. API tokens stay if the owner changes the password with the former one:
 * a program has none to change. Whoever takes an account back by other ways ends them too. The owner is notified by e-mail, and an event is recorded. Returns how many sessions ended; undefined if there is no such account or `from`
 * is out of date.
 */
export async function setPassword(
  services: Sender,
  act: Act,
  account: Account,
  { to, from, by, keepSession }: NewPassword
): Promise<number | undefined> {
  const { population, id } = account
  const { db, now } = act
  const [stored] = await store[population](db, { id, to, from: from ?? null, now })
  if (!stored) return undefined

  // Whoever failed at the second factor knew the former password, which is no longer valid.
  await deleteAttempts(db, [accountKey(population, id)], ['factor'])
  if (population === 'staff' || by === 'reset-link') await invalidateResetLinks(db, account, now)
  else await invalidateResetLinksTo(db, { client: id, email: stored.login_email, now })
  const ended = await endSignIns(db, account, now, { except: keepSession, keepTokens: by === 'password' })
  await addToOutbox(services, db, {
    kind: 'password-changed',
    channel: 'mail',
    recipient: stored.email,
    clientId: population === 'client' ? id : undefined,
    requestId: act.by.requestId ?? undefined,
    reader: account,
    email: {
      template: 'password-changed',
      values: {
        by_owner: by === 'password',
        by_link: by === 'reset-link',
        by_admin: by === 'admin',
        by_operator: by === 'command'
      }
    }
  })
  act.happened({ kind: 'password.changed', subject: { type: population, id }, after: { by, sessions_ended: ended } })
  return ended
}

interface Stored {
  id: number
  to: string
  from: string | null
  now: Date
}

const store = {
  client: prepared((db, p: Stored) => storing(db, 'clients', p, emailInForce)),
  staff: prepared((db, p: Stored) => storing(db, 'staff' as 'clients', p, sql`email`))
}

/**
 * Returns the address for the notification, and the one by which the account logs in. The row is locked from here on: a session or reset link that
 * is being created either exists already, and ends, or is created only after the new password is committed.
 */
function storing(db: Db, table: 'clients', p: Stored, recipient: RawBuilder<string>) {
  return db
    .updateTable(table)
    .set({ password: p.to, updated_at: p.now })
    .where('id', '=', p.id)
    .where(sql<SqlBool>`(${p.from}::text is null or password = ${p.from})`)
    .returning(['email as login_email', recipient.as('email')])
}
