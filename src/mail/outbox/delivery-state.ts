import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Failed } from './undeliverable-addresses.ts'

/** The delivery state of an e-mail. `sent`: a mail server has accepted it; `delivered`: the receiving side has confirmed it. */
export type DeliveryState = 'queued' | 'sent' | 'delayed' | 'delivered' | 'bounced'

/** The kinds of e-mail whose delivery state a ticket's thread shows. */
export const shownKinds: readonly string[] = ['client-ticket', 'follower-ticket']

type DeliveryServices = Pick<Services, 'db' | 'clock'>

/** Records an event for the ticket when the delivery state of an e-mail to its client or a follower changes. */
export async function recordDeliveryState(
  services: DeliveryServices,
  ref: string,
  state: Exclude<DeliveryState, 'queued'>
): Promise<void> {
  const [email] = await toldBy(services.db, { ref })
  if (email) await act(services, system, async act => recordEvent(act, email, state))
}

function recordEvent(act: Act, { ticket_id: ticket, message_ids }: Told, delivery: DeliveryState): void {
  act.happened({
    kind: 'ticket.delivery_changed',
    ticket,
    after: { message_ids: message_ids.slice(0, maxIds), delivery }
  })
}

/** More than one e-mail contains. */
const maxIds = 50

type Told = Awaited<ReturnType<typeof toldBy>>[0]

const toldBy = prepared((db: Db, p: { ref: string }) =>
  db
    .selectFrom('sent_emails')
    .where('ref', '=', p.ref)
    .where('kind', 'in', shownKinds)
    .where('ticket_id', 'is not', null)
    .where(sql<boolean>`cardinality(message_ids) > 0`)
    .select(({ ref }) => [ref('ticket_id').$notNull().as('ticket_id'), 'message_ids'])
)

/** Records that an e-mail bounced, and why. False if that was known already: a bounce may arrive any number of times. */
export async function recordBounce(
  services: DeliveryServices,
  ref: string,
  { status, reason }: Failed
): Promise<boolean> {
  return await act(services, system, async act => {
    const marked = await markSent(act.db, { ref, status: status ?? null, reason, now: act.now })
    if (marked.length === 0) return false
    for (const email of await toldBy(act.db, { ref })) recordEvent(act, email, 'bounced')
    return true
  })
}

const markSent = prepared((db: Db, p: { ref: string; status: string | null; reason: string; now: Date }) =>
  db
    .updateTable('sent_emails')
    .where('ref', '=', p.ref)
    .where(
      sql<boolean>`(bounced_at is null or bounce_status is distinct from ${p.status}::text or bounce_reason is distinct from ${p.reason}::text)`
    )
    .set({ bounced_at: p.now, bounce_status: p.status, bounce_reason: p.reason })
    .returning('id')
)

/** Records that a server has delivered an e-mail, or delays it. */
export async function recordDeliveryReport(
  services: DeliveryServices,
  ref: string,
  state: 'delivered' | 'delayed'
): Promise<void> {
  const mark = state === 'delivered' ? markDelivered : markDelayed
  await act(services, system, async act => {
    const changed = await mark(act.db, { ref, now: act.now })
    if (changed.length === 0) return
    for (const email of await toldBy(act.db, { ref })) recordEvent(act, email, state)
  })
}

const markDelivered = prepared((db: Db, p: { ref: string; now: Date }) =>
  db
    .updateTable('sent_emails')
    .where('ref', '=', p.ref)
    .where('delivered_at', 'is', null)
    .set({ delivered_at: p.now })
    .returning('id')
)

const markDelayed = prepared((db: Db, p: { ref: string; now: Date }) =>
  db
    .updateTable('sent_emails')
    .where('ref', '=', p.ref)
    .where('delayed_at', 'is', null)
    .set({ delayed_at: p.now })
    .returning('id')
)
