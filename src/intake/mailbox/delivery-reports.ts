import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { logDelivery } from '../../mail/log/log-outgoing.ts'
import { recordBounce, recordDeliveryReport } from '../../mail/outbox/delivery-state.ts'
import { clearAddress, recordUndelivered } from '../../mail/outbox/undeliverable-addresses.ts'
import { emailInAddress, ticketInAddress } from '../../mail/support-addresses/signed-address.ts'
import type { Bounce, Delivered } from '../../platform/mail-reading/bounce.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'

/** An e-mail of ours that a mail is about. */
interface SentEmail {
  outbox_message_id: number
  ref: string
  recipient: string
  ticket_id: number | null
}

/** The e-mail of ours to whose signed return address a mail came; only its recipient and the servers on the way know that address. */
export async function emailReturnedTo(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  recipients: readonly string[]
): Promise<SentEmail | undefined> {
  const ids = recipients.flatMap(recipient => emailInAddress(keys, recipient) ?? [])
  return ids.length === 0 ? undefined : (await sentById(db, { ids }))[0]
}

const sentById = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('sent_emails')
    .where('outbox_message_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['outbox_message_id', 'ref', 'recipient', 'ticket_id'])
    .limit(1)
)

/**
 * Records what a report says about the delivery of an e-mail, if it came to the return address of that e-mail. Any other may be forged: it marks
 * nothing and is held, except that a report of success that names an e-mail of ours needs nobody's attention. Undefined for other mails.
 */
export async function settleReport(
  services: Services,
  { bounce, delivered }: Pick<ReadMail, 'bounce' | 'delivered'>,
  { returned, recipients }: { returned: SentEmail | undefined; recipients: readonly string[] }
): Promise<ReportDecision | undefined> {
  const report = bounce ?? delivered
  if (!report) return undefined
  if (returned) {
    if (bounce) await recordReturned(services, returned, bounce)
    else if (delivered) await recordDelivered(services, returned, delivered)
    const about = { ticketId: returned.ticket_id, aboutMessageId: returned.outbox_message_id }
    return { state: 'bounce', reason: bounce?.reason ?? 'delivered', ...about }
  }
  // A person may write about an e-mail that did not arrive.
  if (bounce?.isByWordsAlone) return undefined
  const about = await reportedOn(services, report, recipients)
  if (delivered && about.ticketId !== null) return { state: 'bounce', reason: 'delivered', ...about }
  return { state: 'held', reason: 'unknown_report', ...about }
}

interface ReportedOn {
  ticketId: number | null
  /** The message of the outbox, if the report names one. */
  aboutMessageId: number | null
}

type ReportDecision = ReportedOn & ({ state: 'bounce'; reason: string } | { state: 'held'; reason: 'unknown_report' })

/** Marks the e-mail and its recipient. */
async function recordReturned(
  services: Pick<Services, 'db' | 'clock'>,
  { outbox_message_id: messageId, ref, recipient }: SentEmail,
  bounce: Bounce
): Promise<void> {
  const { db, clock } = services
  const said = { reason: bounce.reason, ...(bounce.status ? { detail: bounce.status } : {}) }
  await logDelivery(db, messageId, bounce.isDelay ? 'deferred' : 'bounced', said, clock.now())
  if (bounce.isDelay) await recordDeliveryReport(services, ref, 'delayed')
  else if (await recordBounce(services, ref, bounce)) await recordUndelivered(db, recipient, bounce, clock.now())
}

/** Marks the e-mail as delivered, unless it was only passed on to a server that sends no reports. */
async function recordDelivered(
  services: Pick<Services, 'db' | 'clock'>,
  { outbox_message_id: messageId, ref }: SentEmail,
  report: Delivered
): Promise<void> {
  if (!report.isDelivered) return
  await logDelivery(services.db, messageId, 'delivered', {}, services.clock.now())
  await recordDeliveryReport(services, ref, 'delivered')
}

/**
 * The e-mail and the ticket that a report seems to be about, by a Message-ID in it or by the reply address to which it came. Others than the recipient of the
 * e-mail know both, so that this only says where staff should look.
 */
async function reportedOn(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  { messageIds, recipient }: Pick<Bounce, 'messageIds' | 'recipient'>,
  recipients: readonly string[]
): Promise<ReportedOn> {
  const refs = messageIds.map(id => id.split('@', 1)[0]!)
  const [sent] = await sentByRef(db, { refs, recipient: recipient ?? '' })
  if (sent) return { ticketId: sent.ticket_id, aboutMessageId: sent.outbox_message_id }
  const id = recipients.map(address => ticketInAddress(keys, address)).find(id => id !== undefined)
  const [ticket] = id === undefined ? [] : await ticketById(db, { id })
  return { ticketId: ticket?.id ?? null, aboutMessageId: null }
}

const sentByRef = prepared((db, p: { refs: readonly string[]; recipient: string }) =>
  db
    .selectFrom('sent_emails')
    .where('ref', '=', sql<string>`any(${p.refs}::text[])`)
    .select(['ticket_id', 'outbox_message_id'])
    // The References of all later e-mails name the first e-mail of a thread too.
    .orderBy(sql`lower(recipient) = lower(${p.recipient})`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
)

const ticketById = prepared((db, p: { id: number }) => db.selectFrom('tickets').where('id', '=', p.id).select('id'))

/** Whoever sends us mail can receive mail. */
export async function forgetBounces(db: Db, email: string): Promise<void> {
  await clearAddress(db, email)
}
