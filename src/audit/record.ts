import type { Db } from '../db.ts'
import type { Services } from '../services.ts'
import type { AuditActor } from './audit-actor.ts'
import { appendAudit } from './audit-chain.ts'

/** What was done: `ticket.assigned` to the ticket 7, from this to that. Never holds a secret or the words of a message. */
export interface AuditEvent {
  action: string
  target: {
    type: 'ticket' | 'client' | 'staff' | 'department' | 'tag' | 'canned_reply' | 'view' | 'setting' | 'audit_log'
    id: number | null
  }
  /** The ticket on whose timeline it appears, if any. */
  ticketId?: number
  before?: object
  after?: object
  /** What the audit log has in their place: it outlives the ticket, and so must not have what its timeline may tell. */
  logged?: { before?: object; after?: object }
}

/**
 * Records an event in the transaction that does it: on the ticket's timeline, and in the audit log. Call it last, since
 * those who append to the audit log queue for one another until they commit.
 */
export async function record(
  { clock, keys }: Pick<Services, 'clock' | 'keys'>,
  db: Db,
  auditActor: AuditActor,
  event: AuditEvent
): Promise<void> {
  const now = clock.now()
  if (event.ticketId !== undefined) await recordOnTimeline(db, auditActor, { ...event, ticketId: event.ticketId }, now)
  await appendAudit(keys, db, auditActor, { ...event, ...event.logged }, now)
}

/** Records what everybody may do many times a second, such as a client's reply, on the ticket's timeline alone. */
export async function recordOnTimeline(
  db: Db,
  auditActor: AuditActor,
  event: Pick<AuditEvent, 'action' | 'before' | 'after'> & { ticketId: number },
  now: Date
): Promise<void> {
  await db
    .insertInto('ticket_events')
    .values({
      ticket_id: event.ticketId,
      kind: event.action,
      actor_type: auditActor.type,
      actor_id: auditActor.id,
      actor_name: auditActor.name,
      before: event.before ? JSON.stringify(event.before) : null,
      after: event.after ? JSON.stringify(event.after) : null,
      ip_address: auditActor.ip,
      request_id: auditActor.requestId,
      created_at: now,
      // What concerns nobody needs no looking at.
      told_at: mayNotify.has(event.action) ? null : now
    })
    .execute()
}

/** Of what happens to a ticket that which an e-mail may tell somebody: see `notificationForClient` and `notificationsForStaff`. */
const mayNotify: ReadonlySet<string> = new Set([
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
  'ticket.assigned',
  'ticket.noted'
])
