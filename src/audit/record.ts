import type { Db } from '../db.ts'
import type { EventKind } from '../events/catalogue.ts'
import { insertEvent, type Subject } from '../events/insert-event.ts'
import type { Services } from '../services.ts'
import type { AuditActor } from './audit-actor.ts'
import { appendAudit } from './audit-chain.ts'

/** What was done: `ticket.assigned` to the ticket 7, from this to that. Never holds a secret or the words of a message. */
export interface AuditEvent {
  action: EventKind
  target: Subject
  /** The ticket on whose timeline it appears, if any. */
  ticketId?: number
  /** Whose ticket it was, where it is gone. */
  clientId?: number
  before?: object
  after?: object
  /** What the audit log has in their place: it outlives the ticket, and so must not have what its timeline may tell. */
  logged?: { before?: object; after?: object }
}

/**
 * Records an event in the transaction that does it: in the log of events, and in the audit log. Call it last, since
 * those who append to the audit log queue for one another until they commit.
 */
export async function record(
  { clock, keys }: Pick<Services, 'clock' | 'keys'>,
  db: Db,
  auditActor: AuditActor,
  event: AuditEvent
): Promise<void> {
  const now = clock.now()
  await insertEvent(db, auditActor, { ...event, kind: event.action, subject: event.target }, now)
  await appendAudit(keys, db, auditActor, { ...event, ...event.logged }, now)
}

/** Records what everybody may do many times a second, such as a client's reply, on the ticket's timeline alone. */
export async function recordOnTimeline(
  db: Db,
  auditActor: AuditActor,
  { action: kind, ticketId, before, after }: Pick<AuditEvent, 'action' | 'before' | 'after'> & { ticketId: number },
  now: Date
): Promise<void> {
  await insertEvent(db, auditActor, { kind, subject: { type: 'ticket', id: ticketId }, ticketId, before, after }, now)
}
