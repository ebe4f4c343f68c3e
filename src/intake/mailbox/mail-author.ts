import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { allSpellings, baseAddress, otherSpellings } from '../../mail/support-addresses/support-addresses.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'

/** The e-mail of ours that a mail is, come back unchanged. A bounce is none: it has a Message-ID of its own. */
export async function ownMailOf(
  db: Db,
  { messageId }: Pick<ReadMail, 'messageId'>
): Promise<{ outbox_message_id: number } | undefined> {
  return messageId ? (await sentAs(db, { ref: messageId.split('@', 1)[0]! }))[0] : undefined
}

const sentAs = prepared((db, p: { ref: string }) =>
  db.selectFrom('sent_emails').where('ref', '=', p.ref).select('outbox_message_id').limit(1)
)

/** The author of a mail; undefined if that is the desk itself. A web form writes in the name of the desk, and puts the person into Reply-To. */
export async function authorOf(
  services: Services,
  { from, replyTo }: Pick<ReadMail, 'from' | 'replyTo'>
): Promise<Mailbox | undefined> {
  const own = await ownAddresses(services)
  return [from, ...replyTo].find(mailbox => mailbox && !own.has(baseAddress(mailbox.email)))
}

/**
 * With the address as the desk knows it, first as an account's, then as a follower's, then as that of whoever got an e-mail: mail programs write
 * `xn--mnchen-3ya.example` where people type `münchen.example`.
 */
export async function asKnown(db: Db, mailbox: Mailbox): Promise<Mailbox> {
  const { email } = mailbox
  const others = otherSpellings(email)
  const [known] = others.length === 0 ? [] : await spellings(db, { email, written: allSpellings(email) })
  return known ? { ...mailbox, email: known.email } : mailbox
}

const spellings = prepared((db, p: { email: string; written: readonly string[] }) => {
  // Each place by its own index.
  const isIt = (column: 'email' | 'recipient') =>
    sql<boolean>`lower(${sql.ref(column)}) = any(array(select lower(way) from unnest(${p.written}::text[]) as way))`
  return db
    .selectFrom(
      sql<{ email: string; rank: number }>`(
        select email, 1 as rank from clients where ${isIt('email')}
        union all select email, 1 from staff where ${isIt('email')}
        union all select email, 2 from ticket_followers where ${isIt('email')}
        union all select recipient, 3 from sent_emails where ${isIt('recipient')})`.as('known')
    )
    .orderBy('rank')
    .orderBy(sql`lower(email) = lower(${p.email})`, 'desc')
    .select('email')
    .limit(1)
})

/** Whether a member of the staff has this address. */
export async function isOfStaff(db: Db, email: string): Promise<boolean> {
  return (await staffAt(db, { email })).length > 0
}

const staffAt = prepared((db, p: { email: string }) =>
  db.selectFrom('staff').where(sql`lower(email)`, '=', sql`lower(${p.email})`).select('id')
)
