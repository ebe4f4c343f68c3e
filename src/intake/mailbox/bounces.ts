import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { recordBounce, recordDeliveryReport } from '../../mail/outbox/delivery-state.ts'
import { clearAddress, recordUndelivered } from '../../mail/outbox/undeliverable-addresses.ts'
import { ticketInAddress } from '../../mail/support-addresses/ticket-address.ts'
import type { Bounce, Delivered } from '../../platform/mail-reading/bounce.ts'

/**
 * Finds the e-mail that a bounce is about by a Message-ID that only its recipient knows, and marks the e-mail and its recipient. Returns its
 * ticket. A bounce that only came to the address of a ticket, which others know too, returns that ticket and marks nothing. For an unknown
 * e-mail it marks nothing and returns undefined.
 */
export async function processBounce(
  services: Pick<Services, 'db' | 'keys' | 'clock'>,
  bounce: Bounce,
  recipients: readonly string[]
): Promise<{ ticketId: number | null } | undefined> {
  const bounced = await byMessageId(services.db, bounce)
  if (!bounced) {
    const ticketId = recipients.map(address => ticketInAddress(services.keys, address)).find(id => id !== undefined)
    return ticketId === undefined ? undefined : await ticketStill(services.db, ticketId)
  }
  if (bounce.isDelay) await recordDeliveryReport(services, bounced.ref, 'delayed')
  else if (await recordBounce(services, bounced.ref, bounce))
    await recordUndelivered(services.db, bounced.recipient, bounce, services.clock.now())
  return { ticketId: bounced.ticket_id }
}

/** The same for a delivery report; undefined if it is about no e-mail of ours. */
export async function processDeliveryReport(
  services: Pick<Services, 'db' | 'clock'>,
  report: Delivered
): Promise<{ ticketId: number | null } | undefined> {
  const delivered = await byMessageId(services.db, report)
  if (!delivered) return undefined
  if (report.isDelivered) await recordDeliveryReport(services, delivered.ref, 'delivered')
  return { ticketId: delivered.ticket_id }
}

async function byMessageId(db: Db, { messageIds, recipient }: Pick<Bounce, 'messageIds' | 'recipient'>) {
  const refs = messageIds.map(id => id.split('@', 1)[0]!)
  const [sent] = await sentByRef(db, { refs, recipient: recipient ?? '' })
  return sent
}

const sentByRef = prepared((db, p: { refs: readonly string[]; recipient: string }) =>
  db
    .selectFrom('sent_emails')
    .where('ref', '=', sql<string>`any(${p.refs}::text[])`)
    .select(['ref', 'recipient', 'ticket_id'])
    // The References of all later e-mails name the first e-mail of a thread too.
    .orderBy(sql`lower(recipient) = lower(${p.recipient})`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
)

async function ticketStill(db: Db, id: number): Promise<{ ticketId: number } | undefined> {
  const [ticket] = await ticketById(db, { id })
  return ticket && { ticketId: ticket.id }
}

const ticketById = prepared((db, p: { id: number }) => db.selectFrom('tickets').where('id', '=', p.id).select('id'))

/** Whoever sends us mail can receive mail. */
export async function forgetBounces(db: Db, email: string): Promise<void> {
  await clearAddress(db, email)
}
