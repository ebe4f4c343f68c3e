import type { Db } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import { appendAudit } from './audit-chain.ts'
import type { Doer } from './doer.ts'

/** What was done: `ticket.assigned` to the ticket 7, from this to that. Never holds a secret or the words of a message. */
export interface Deed {
  action: string
  target: { type: 'ticket' | 'client' | 'staff' | 'department' | 'tag' | 'canned_reply' | 'setting'; id: number | null }
  /** The ticket on whose timeline it appears, if any. */
  ticketId?: number
  before?: object
  after?: object
  /** What the audit log has in their place: it outlives the ticket, and so must not have what its timeline may tell. */
  logged?: { before?: object; after?: object }
}

/**
 * Records a deed in the transaction that does it: on the ticket's timeline, and in the audit log. Call it last, since
 * those who append to the audit log queue for one another until they commit.
 */
export async function record(
  { clock, keys }: Pick<Services, 'clock' | 'keys'>,
  db: Db,
  doer: Doer,
  deed: Deed
): Promise<void> {
  const now = clock.now()
  if (deed.ticketId !== undefined) await recordOnTimeline(db, doer, { ...deed, ticketId: deed.ticketId }, now)
  await appendAudit(keys, db, doer, { ...deed, ...deed.logged }, now)
}

/** Records what everybody may do many times a second, such as a client's reply, on the ticket's timeline alone. */
export async function recordOnTimeline(
  db: Db,
  doer: Doer,
  deed: Pick<Deed, 'action' | 'before' | 'after'> & { ticketId: number },
  now: Date
): Promise<void> {
  await db
    .insertInto('ticket_events')
    .values({
      ticket_id: deed.ticketId,
      kind: deed.action,
      actor_type: doer.type,
      actor_id: doer.id,
      actor_name: doer.name,
      before: deed.before ? JSON.stringify(deed.before) : null,
      after: deed.after ? JSON.stringify(deed.after) : null,
      ip_address: doer.ip,
      request_id: doer.requestId,
      created_at: now,
      // What concerns nobody needs no looking at.
      told_at: mayBeNews.has(deed.action) ? null : now
    })
    .execute()
}

/** Of what happens to a ticket that which a letter may tell somebody: see `newsForClient` and `newsForStaff`. */
const mayBeNews: ReadonlySet<string> = new Set([
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
  'ticket.assigned',
  'ticket.noted'
])
