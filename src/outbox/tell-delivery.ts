import { sql } from 'kysely'
import { system } from '../actor.ts'
import { act } from '../acts/act.ts'
import { type Db, prepared } from '../db.ts'
import type { Services } from '../services.ts'
import type { Failed } from './undeliverable-addresses.ts'

/** What becomes of an e-mail: `sent` is that a mail server has taken it, `delivered` that the other side has said so. */
export type DeliveryState = 'queued' | 'sent' | 'delayed' | 'delivered' | 'bounced'

/** The e-mails of which the thread of a ticket shows what became of them. */
export const shownKinds: readonly string[] = ['client-ticket', 'follower-ticket']

type World = Pick<Services, 'db' | 'clock'>

/** Tells those who look at the ticket what has become of an e-mail with messages of it, to its client or to one of its followers. */
export async function tellDelivery(
  services: World,
  ref: string,
  state: Exclude<DeliveryState, 'queued'>
): Promise<void> {
  const [email] = await toldBy(services.db, { ref })
  if (!email) return
  await act(services, system, async act => {
    act.happened({
      kind: 'ticket.delivery_changed',
      ticket: email.ticket_id,
      after: { message_ids: email.message_ids.slice(0, maxIds), delivery: state }
    })
  })
}

/** More than an e-mail tells of. */
const maxIds = 50

const toldBy = prepared((db: Db, p: { ref: string }) =>
  db
    .selectFrom('sent_emails')
    .where('ref', '=', p.ref)
    .where('kind', 'in', shownKinds)
    .where('ticket_id', 'is not', null)
    .where(sql<boolean>`cardinality(message_ids) > 0`)
    .select(({ ref }) => [ref('ticket_id').$notNull().as('ticket_id'), 'message_ids'])
)

/** Notes that an e-mail was not delivered, and why. False where just that was known: one report may come any number of times. */
export async function noteBounce(services: World, ref: string, { status, reason }: Failed): Promise<boolean> {
  const marked = await markSent(services.db, { ref, status: status ?? null, reason, now: services.clock.now() })
  if (marked.length === 0) return false
  await tellDelivery(services, ref, 'bounced')
  return true
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

/** Notes that a server on the way has delivered an e-mail, or keeps it until it can. */
export async function noteReport(services: World, ref: string, state: 'delivered' | 'delayed'): Promise<void> {
  const now = services.clock.now()
  const changed = await (state === 'delivered' ? markDelivered : markDelayed)(services.db, { ref, now })
  if (changed.length > 0) await tellDelivery(services, ref, state)
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
