import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { Keys } from '../keys.ts'
import type { Bounce } from '../platform/mail-reading/bounce.ts'
import { ticketInAddress } from '../support-addresses/ticket-address.ts'

/** The e-mail of ours that a bounce is about. */
interface Bounced {
  id: number
  recipient: string
  ticket_id: number | null
}

/** An address that fails in other ways is given up after so many. */
const maxBounces = 3

/**
 * Finds the e-mail of ours that a bounce is about, by a Message-ID that only whoever got it knows, or by the signed address that it came
 * to; marks it and its recipient. Answers its ticket. Undefined where it is about none that we know: it then changes nothing.
 */
export async function settleBounce(
  { db, keys }: { db: Db; keys: Keys },
  bounce: Bounce,
  { recipients, now }: { recipients: readonly string[]; now: Date }
): Promise<{ ticketId: number | null } | undefined> {
  const bounced = (await byMessageId(db, bounce)) ?? (await byAddress({ db, keys }, bounce, recipients))
  if (!bounced) return undefined
  if (!bounce.isDelay) {
    const isPermanent = bounce.isPermanent && isOfTheAddress(bounce)
    const { status, reason } = bounce
    await markSent(db, { id: bounced.id, status: status ?? null, reason, now })
    await markAddress(db, {
      email: bounced.recipient,
      isPermanent,
      isFailure: bounce.isPermanent,
      status: status ?? null,
      reason,
      now
    })
  }
  return { ticketId: bounced.ticket_id }
}

/** That there is no such mailbox, rather than that it is full or that the other side did not like the e-mail. */
function isOfTheAddress({ status, reason }: Bounce): boolean {
  return (
    /^5\.(1\.\d+|2\.1)$/.test(status ?? '') ||
    ['no such address', 'no such domain', 'mailbox disabled'].includes(reason)
  )
}

async function byMessageId(db: Db, { messageIds, recipient }: Bounce): Promise<Bounced | undefined> {
  const refs = messageIds.map(id => id.split('@', 1)[0]!)
  const found = await sentByRef(db, { refs, recipient: recipient ?? '' })
  return found[0]
}

const sentByRef = prepared((db, p: { refs: readonly string[]; recipient: string }) =>
  db
    .selectFrom('sent_emails')
    .where('ref', '=', sql<string>`any(${p.refs}::text[])`)
    .select(['id', 'recipient', 'ticket_id'])
    // The first e-mail of a thread is named in all others as well.
    .orderBy(sql`lower(recipient) = lower(${p.recipient})`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
)

async function byAddress(
  { db, keys }: { db: Db; keys: Keys },
  { recipient }: Bounce,
  recipients: readonly string[]
): Promise<Bounced | undefined> {
  const ticket = recipients.map(address => ticketInAddress(keys, address)).find(id => id !== undefined)
  if (ticket === undefined) return undefined
  const [sent] = await lastSentAbout(db, { ticket, recipient: recipient ?? '' })
  return sent
}

const lastSentAbout = prepared((db, p: { ticket: number; recipient: string }) =>
  db
    .selectFrom('sent_emails')
    .where('ticket_id', '=', p.ticket)
    .select(['id', 'recipient', 'ticket_id'])
    .orderBy(sql`lower(recipient) = lower(${p.recipient})`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
)

const markSent = prepared((db, p: { id: number; status: string | null; reason: string; now: Date }) =>
  db
    .updateTable('sent_emails')
    .where('id', '=', p.id)
    .set({ bounced_at: p.now, bounce_status: p.status, bounce_reason: p.reason })
)

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

/** Who writes to us can be written to. */
export async function forgetBounces(db: Db, email: string): Promise<void> {
  await unmark(db, { email })
}

const unmark = prepared((db, p: { email: string }) =>
  db.deleteFrom('undeliverable_addresses').where(sql`lower(email)`, '=', sql`lower(${p.email})`)
)
