import { type RawBuilder, sql } from 'kysely'
import type { AuditActor } from '../../core/audit/audit-actor.ts'
import type { EventKind } from '../../core/events/catalogue.ts'
import type { ActorType } from '../../core/tables/columns.ts'
import type { EventCause } from '../../core/tables/events.ts'

/** The parameters of an event that is written in the same statement as the change it records. */
export interface TimelineEvent {
  actorType: ActorType
  actorId: number | null
  actorName: string
  ip: string | null
  requestId: string | null
  isSilent: boolean
  now: Date
  /** Frequent actions of clients are on the ticket's timeline only. */
  isAudited: boolean
  /** JSON: what the audit log records in place of before and after, if it differs. */
  audited: string | null
  /** JSON: what made it happen, other than whoever did it. */
  cause: string | null
}

export function timelineEvent(auditActor: AuditActor, now: Date, cause?: EventCause): TimelineEvent {
  return {
    actorType: auditActor.type,
    actorId: auditActor.id,
    actorName: auditActor.name,
    ip: auditActor.ip,
    requestId: auditActor.requestId,
    isSilent: auditActor.isSilent ?? false,
    now,
    isAudited: auditActor.type !== 'client',
    audited: null,
    cause: cause ? JSON.stringify(cause) : null
  }
}

/** The columns of an event: the ticket's first, then the three of the statement, then those of `actorColumns`. */
export const eventColumns = [
  'ticket_id',
  'client_id',
  'department_id',
  'kind',
  'before',
  'after',
  'actor_type',
  'actor_id',
  'actor_name',
  'ip_address',
  'request_id',
  'created_at',
  'is_silent',
  'is_audited',
  'audited',
  'cause'
] as const

const columnsOfActor = eventColumns.slice(6)

/** Within a statement that has written the row `ticket`: its columns for the event. */
export const ofTicket = ['ticket.id', 'ticket.client_id', 'ticket.department_id'] as const

export function kindOf(kind: EventKind) {
  return sql.lit(kind).as('kind')
}

/** Who did it, from where and when, in the order of `eventColumns`. */
export function actorColumns(p: TimelineEvent) {
  return actorValues(p).map((value, at) => value.as(columnsOfActor[at]!))
}

/** The same without names, for a union, which does not take the types of the columns either; `audited`: what the audit log records in place of before and after. */
export function actorValues(p: TimelineEvent, audited = sql<string | null>`${p.audited}::json`): RawBuilder<unknown>[] {
  return [
    sql`${p.actorType}::text`,
    sql`${p.actorId}::bigint`,
    sql`${p.actorName}::text`,
    sql`${p.ip}::text`,
    sql`${p.requestId}::text`,
    sql`${p.now}::timestamptz`,
    sql`${p.isSilent}::boolean`,
    sql`${p.isAudited}::boolean`,
    audited,
    sql`${p.cause}::json`
  ]
}

/** Values as the JSON of an event's `before` or `after`; null if there are none. */
export function facts(given: Record<string, unknown> | null) {
  if (!given) return sql<string | null>`null::json`
  const parts = Object.entries(given).map(([name, value]) => sql`${sql.lit(name)}, ${value}`)
  return sql<string | null>`json_build_object(${sql.join(parts)})`
}
