import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { secondsAfter } from '../../lib/time.ts'
import type { MailboxReason } from '../../platform/mail/mailbox-fault.ts'

/** A process that does not renew its lease for this long counts as dead, and another fetches the mailbox. */
const leaseSeconds = 20

/** Takes or renews the lease of a mailbox; false while another process has it. */
export async function leaseMailbox(db: Db, { name, holder, now }: { name: string; holder: string; now: Date }) {
  const [held] = await hold(db, { name, holder, now, until: secondsAfter(now, leaseSeconds) })
  return held !== undefined
}

/** Releases the lease at once. */
export const releaseMailboxLease = prepared((db, p: { name: string; holder: string }) =>
  db
    .updateTable('mailboxes')
    .where('name', '=', p.name)
    .where('holder', '=', p.holder)
    .set({ holder: null, held_until: null })
)

/** Deletes the state of mailboxes that are no longer configured. */
export async function deleteOtherMailboxes(db: Db, names: readonly string[]): Promise<void> {
  await forget(db, { names })
}

interface Look {
  name: string
  now: Date
  unread: number
  oldest: Date | null
  /** Whether a mail was taken. */
  hasTaken: boolean
}

/** Records what a pass over a mailbox has found. */
export const recordFetch = prepared((db, p: Look) =>
  db
    .updateTable('mailboxes')
    .where('name', '=', p.name)
    .set(eb => ({
      looked_at: p.now,
      unread_mails: p.unread,
      oldest_unread_at: p.oldest,
      failing_since: null,
      mail_at: eb
        .case()
        .when(sql<boolean>`${p.hasTaken}::boolean`)
        .then(sql<Date>`${p.now}::timestamptz`)
        .else(eb.ref('mail_at'))
        .end()
    }))
)

interface FailedLook {
  name: string
  /** One sentence without secrets, its reason, and the server's response. */
  error: string
  reason: MailboxReason
  said: string | null
  now: Date
}

/** Records why a mailbox cannot be used. */
export const recordFailure = prepared((db, p: FailedLook) =>
  db
    .updateTable('mailboxes')
    .where('name', '=', p.name)
    .set(eb => ({
      failing_since: eb.fn.coalesce('failing_since', sql<Date>`${p.now}::timestamptz`),
      last_error: p.error,
      last_error_code: p.reason,
      last_error_said: p.said,
      last_error_at: p.now
    }))
)

export type MailboxState = Awaited<ReturnType<typeof mailboxStates>>[0]

/** The state of all mailboxes that were fetched, or tried. */
export async function mailboxStates(db: Db) {
  return await states(db, {})
}

const hold = prepared((db, p: { name: string; holder: string; now: Date; until: Date }) =>
  db
    .insertInto('mailboxes')
    .values({ name: p.name, holder: p.holder, held_until: p.until, created_at: p.now })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder: p.holder, held_until: p.until })
        .where(({ or, eb }) =>
          or([
            eb('mailboxes.holder', 'is', null),
            eb('mailboxes.holder', '=', p.holder),
            eb('mailboxes.held_until', '<', p.now)
          ])
        )
    )
    .returning('id')
)

const forget = prepared((db, p: { names: readonly string[] }) =>
  db.deleteFrom('mailboxes').where(sql<boolean>`name <> all(${p.names}::text[])`)
)

const states = prepared(db =>
  db
    .selectFrom('mailboxes')
    .select(['name', 'looked_at', 'mail_at', 'unread_mails', 'oldest_unread_at'])
    .select(['failing_since', 'last_error', 'last_error_code', 'last_error_said', 'last_error_at', 'held_until'])
    .orderBy('id')
)
