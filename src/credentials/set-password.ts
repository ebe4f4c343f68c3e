import { type SqlBool, sql } from 'kysely'
import type { Act } from '../acts/act.ts'
import { type Db, prepared } from '../db.ts'
import { addToOutbox, type Sender } from '../outbox/add-to-outbox.ts'
import { accountKey, forgetAttempts } from '../rate-limits/attempts.ts'
import type { Account } from '../sessions/sessions.ts'
import { endSignIns, voidResetLinks } from './sign-ins.ts'

/** How a password is changed: by its owner with the former one or a reset link, by an admin, by the operator at a terminal. */
type PasswordChangedBy = 'password' | 'reset-link' | 'admin' | 'command'

export interface NewPassword {
  /** The new password in its stored form. */
  to: string
  /** The stored form that it replaces, where the caller has judged one: nothing happens once that is another. */
  from?: string
  by: PasswordChangedBy
  /** The session that goes on. */
  keepSession?: number
}

/**
 * Sets the password of an account: the only way to do so once the account is there. Whatever the former one had opened
 * dies with it: reset links, half-done logins, sessions. The owner is told by e-mail, and the audit log too. Answers how
 * many sessions ended; undefined where there is no such account or `from` is out of date.
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

  // Attempts at the second factor were made with the former password.
  await forgetAttempts(db, [accountKey(population, id)], ['factor'])
  await voidResetLinks(db, account, now)
  const ended = await endSignIns(db, account, now, { except: keepSession })
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
  client: prepared((db, p: Stored) => storing(db, 'clients', p)),
  staff: prepared((db, p: Stored) => storing(db, 'staff' as 'clients', p))
}

/** The row is locked from here on: whoever opens a session or makes a reset link comes before and is ended, or finds this. */
function storing(db: Db, table: 'clients', p: Stored) {
  return db
    .updateTable(table)
    .set({ password: p.to, updated_at: p.now })
    .where('id', '=', p.id)
    .where(sql<SqlBool>`(${p.from}::text is null or password = ${p.from})`)
    .returning('email')
}
