import type { Db } from '../db.ts'
import type { EventKind } from '../events/catalogue.ts'
import { insertEvent, type Subject } from '../events/insert-event.ts'
import type { Services } from '../services.ts'
import type { AuditActor } from './audit-actor.ts'

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

/** Records an event in the transaction that does it: in the log of events, from which the audit log is told within a second. */
export async function record(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  auditActor: AuditActor,
  { action: kind, target: subject, logged, ...event }: AuditEvent
): Promise<void> {
  const { before, after } = event
  const audited = logged ? { before, after, ...logged } : true
  await insertEvent(db, auditActor, { ...event, kind, subject, audited }, clock.now())
}

/** Records what is on the ticket's timeline alone, such as that another one was merged into it. */
export async function recordOnTimeline(
  db: Db,
  auditActor: AuditActor,
  { action: kind, ticketId, before, after }: Pick<AuditEvent, 'action' | 'before' | 'after'> & { ticketId: number },
  now: Date
): Promise<void> {
  await insertEvent(db, auditActor, { kind, subject: { type: 'ticket', id: ticketId }, ticketId, before, after }, now)
}
