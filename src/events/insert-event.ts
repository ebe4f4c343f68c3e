import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { ActorType } from '../tables/columns.ts'
import { type EventKind, mayNotify } from './catalogue.ts'

/** What it happened to. */
export interface Subject {
  type:
    | 'ticket'
    | 'client'
    | 'staff'
    | 'department'
    | 'tag'
    | 'canned_reply'
    | 'view'
    | 'setting'
    | 'audit_log'
    | 'webhook'
  id: number | null
}

/** Who did it, and from where. */
interface Doer {
  type: ActorType
  id: number | null
  name: string
  ip: string | null
  requestId: string | null
}

/** What happened: ids and small facts, never a secret or the words of a message. */
interface Happened {
  kind: EventKind
  subject: Subject
  /** The ticket on whose timeline it appears, if any. */
  ticketId?: number | undefined
  /** Whose ticket it was, where it is gone. */
  clientId?: number | null | undefined
  before?: object | undefined
  after?: object | undefined
  /** Whether the audit log tells of it; what it tells, where that is not before and after. */
  audited?: true | { before?: object | undefined; after?: object | undefined }
}

/** Writes an event in the transaction that does what it tells of. */
export async function insertEvent(
  db: Db,
  doer: Doer,
  { kind, subject, ticketId, clientId = clientOf(doer, subject), before, after, audited }: Happened,
  now: Date
): Promise<void> {
  await insert(db, {
    kind,
    subjectType: subject.type,
    // The id of a ticket is there already.
    subjectId: subject.type === 'ticket' && ticketId !== undefined ? null : subject.id,
    ticketId: ticketId ?? null,
    clientId,
    actorType: doer.type,
    actorId: doer.id,
    actorName: doer.name,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    ip: doer.ip,
    requestId: doer.requestId,
    now,
    isAudited: audited !== undefined,
    audited: typeof audited === 'object' ? JSON.stringify(audited) : null,
    // What concerns nobody needs no looking at.
    toldAt: ticketId !== undefined && mayNotify(kind) ? null : now
  })
}

/** Whose data it is, apart from tickets. */
function clientOf(doer: Doer, subject: Subject): number | null {
  if (subject.type === 'client') return subject.id
  return doer.type === 'client' ? doer.id : null
}

interface Inserted {
  kind: string
  subjectType: string
  subjectId: number | null
  ticketId: number | null
  clientId: number | null
  actorType: ActorType
  actorId: number | null
  actorName: string
  before: string | null
  after: string | null
  ip: string | null
  requestId: string | null
  now: Date
  toldAt: Date | null
  isAudited: boolean
  audited: string | null
}

const insert = prepared((db, p: Inserted) =>
  db.insertInto('events').values(({ selectFrom, fn }) => {
    const ofTicket = (column: 'client_id' | 'department_id') =>
      selectFrom('tickets').where('tickets.id', '=', p.ticketId).select(column)
    return {
      kind: p.kind,
      subject_type: p.subjectType,
      subject_id: p.subjectId,
      ticket_id: p.ticketId,
      client_id: fn.coalesce(ofTicket('client_id'), sql<number | null>`${p.clientId}::bigint`),
      department_id: ofTicket('department_id'),
      actor_type: p.actorType,
      actor_id: p.actorId,
      actor_name: p.actorName,
      before: p.before,
      after: p.after,
      ip_address: p.ip,
      request_id: p.requestId,
      created_at: p.now,
      told_at: p.toldAt,
      is_audited: p.isAudited,
      audited: p.audited
    }
  })
)
