import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { Mailbox } from '../platform/mail-reading/addresses.ts'
import type { ReadMail } from '../platform/mail-reading/read-mail.ts'
import type { Services } from '../services.ts'
import { ownAddresses } from '../support-addresses/own-addresses.ts'
import { baseAddress } from '../support-addresses/support-addresses.ts'

/** Whether a mail is one that we sent and that came back as it was: a bounce, which has a Message-ID of its own, is none. */
export async function isOwnMail(db: Db, { messageId }: Pick<ReadMail, 'messageId'>): Promise<boolean> {
  if (!messageId) return false
  return (await sentAs(db, { ref: messageId.split('@', 1)[0]! })).length > 0
}

const sentAs = prepared((db, p: { ref: string }) =>
  db.selectFrom('sent_emails').where('ref', '=', p.ref).select('id').limit(1)
)

/**
 * Who wrote a mail; undefined where that is the desk itself. A form on a web page writes in the name of the desk, and asks for the answer
 * to go to the person.
 */
export async function writerOf(
  services: Services,
  { from, replyTo }: Pick<ReadMail, 'from' | 'replyTo'>
): Promise<Mailbox | undefined> {
  const own = await ownAddresses(services)
  return [from, ...replyTo].find(mailbox => mailbox && !own.has(baseAddress(mailbox.email)))
}

/** Whether a member of the staff has this address. */
export async function isOfStaff(db: Db, email: string): Promise<boolean> {
  return (await staffAt(db, { email })).length > 0
}

const staffAt = prepared((db, p: { email: string }) =>
  db.selectFrom('staff').where(sql`lower(email)`, '=', sql`lower(${p.email})`).select('id')
)
