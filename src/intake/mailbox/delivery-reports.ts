import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { recordBounce, recordDeliveryReport } from '../../mail/outbox/delivery-state.ts'
import { clearAddress, recordUndelivered } from '../../mail/outbox/undeliverable-addresses.ts'
import { emailInAddress, ticketInAddress } from '../../mail/support-addresses/signed-address.ts'
import type { Bounce, Delivered } from '../../platform/mail-reading/bounce.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'

/** An e-mail of ours that a mail is about. */
interface SentEmail {
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
    .select(['ref', 'recipient', 'ticket_id'])
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
    return { state: 'bounce', reason: bounce?.reason ?? 'delivered', ticketId: returned.ticket_id }
  }
  // A person may write about an e-mail that did not arrive.
  if (bounce?.isByWordsAlone) return undefined
  const ticketId = await ticketReportedOn(services, report, recipients)
  if (delivered && ticketId !== undefined) return { state: 'bounce', reason: 'delivered', ticketId }
  return { state: 'held', reason: 'unknown_report', ticketId: ticketId ?? null }
}

type ReportDecision = { ticketId: number | null } & (
  | { state: 'bounce'; reason: string }
  | { state: 'held'; reason: 'unknown_report' }
)

/** Marks the e-mail and its recipient. */
async function recordReturned(
  services: Pick<Services, 'db' | 'clock'>,
  { ref, recipient }: SentEmail,
  bounce: Bounce
): Promise<void> {
  if (bounce.isDelay) await recordDeliveryReport(services, ref, 'delayed')
  else if (await recordBounce(services, ref, bounce))
    await recordUndelivered(services.db, recipient, bounce, services.clock.now())
}

/** Marks the e-mail as delivered, unless it was only passed on to a server that sends no reports. */
async function recordDelivered(
  services: Pick<Services, 'db' | 'clock'>,
  { ref }: SentEmail,
  report: Delivered
): Promise<void> {
  if (report.isDelivered) await recordDeliveryReport(services, ref, 'delivered')
}

/**
 * The ticket that a report seems to be about, by a Message-ID in it or by the reply address to which it came. Others than the recipient of the
 * e-mail know both, so that this only says where staff should look.
 */
async function ticketReportedOn(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  { messageIds, recipient }: Pick<Bounce, 'messageIds' | 'recipient'>,
  recipients: readonly string[]
): Promise<number | undefined> {
  const refs = messageIds.map(id => id.split('@', 1)[0]!)
  const [sent] = await sentByRef(db, { refs, recipient: recipient ?? '' })
  if (sent) return sent.ticket_id ?? undefined
  const id = recipients.map(address => ticketInAddress(keys, address)).find(id => id !== undefined)
  const [ticket] = id === undefined ? [] : await ticketById(db, { id })
  return ticket?.id
}

const sentByRef = prepared((db, p: { refs: readonly string[]; recipient: string }) =>
  db
    .selectFrom('sent_emails')
    .where('ref', '=', sql<string>`any(${p.refs}::text[])`)
    .select('ticket_id')
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
