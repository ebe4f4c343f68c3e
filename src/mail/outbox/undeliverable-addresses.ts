import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { UndeliverableAddressRow } from '../../core/tables/mails.ts'

/** After this many other bounces nothing more is sent to an address. */
const maxBounces = 3

/** What a mail server or a bounce says about an e-mail that was not delivered. */
export interface Failed {
  /** 5.2.2 */
  status: string | undefined
  /** A short text. */
  reason: string
  isPermanent: boolean
}

/** Records that an e-mail to this address bounced. If the address does not exist, or after several other bounces, nothing more is sent there. */
export async function recordUndelivered(
  db: Db,
  email: string,
  { status, reason, isPermanent }: Failed,
  now: Date
): Promise<void> {
  await markAddress(db, {
    email,
    isPermanent: isPermanent && isOfTheAddress({ status, reason }),
    isFailure: isPermanent,
    status: status ?? null,
    reason,
    now
  })
}

/** Whether the mailbox does not exist, rather than being full or rejecting the e-mail. */
function isOfTheAddress({ status, reason }: Pick<Failed, 'status' | 'reason'>): boolean {
  return (
    /^5\.(1\.\d+|2\.1)$/.test(status ?? '') ||
    ['no such address', 'no such domain', 'mailbox disabled'].includes(reason)
  )
}

interface Mark {
  email: string
  isPermanent: boolean
  isFailure: boolean
  status: string | null
  reason: string
  now: Date
}

const markAddress = prepared((db, p: Mark) =>
  db
    .insertInto('undeliverable_addresses')
    .values({ email: p.email, is_permanent: p.isPermanent, status: p.status, reason: p.reason, last_at: p.now })
    .onConflict(conflict =>
      conflict.expression(sql`lower(email)`).doUpdateSet(eb => ({
        is_permanent: sql<boolean>`undeliverable_addresses.is_permanent or excluded.is_permanent
          or (${p.isFailure}::boolean and undeliverable_addresses.bounces + 1 >= ${sql.lit(maxBounces)})`,
        bounces: eb('undeliverable_addresses.bounces', '+', 1),
        status: p.status,
        reason: p.reason,
        last_at: p.now
      }))
    )
)

/** The recorded bounces of an address; undefined if there are none. */
export async function undeliverableAddress(db: Db, email: string): Promise<UndeliverableAddressRow | undefined> {
  const [known] = await byEmail(db, { email })
  return known
}

const byEmail = prepared((db, p: { email: string }) =>
  db
    .selectFrom('undeliverable_addresses')
    .where(sql`lower(email)`, '=', sql`lower(${p.email})`)
    .select(['email', 'is_permanent', 'bounces', 'status', 'reason', 'last_at'])
)

/** Allows e-mails to the address again; false if they were allowed anyway. */
export async function clearAddress(db: Db, email: string): Promise<boolean> {
  return (await unmark(db, { email })).length > 0
}

const unmark = prepared((db, p: { email: string }) =>
  db.deleteFrom('undeliverable_addresses').where(sql`lower(email)`, '=', sql`lower(${p.email})`).returning('email')
)
