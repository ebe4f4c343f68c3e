import { sql } from 'kysely'
import type { AuditActor } from '../../core/audit/audit-actor.ts'
import type { EventKind } from '../../core/events/catalogue.ts'
import type { ActorType } from '../../core/tables/columns.ts'

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
}

export function timelineEvent(auditActor: AuditActor, now: Date): TimelineEvent {
  return {
    actorType: auditActor.type,
    actorId: auditActor.id,
    actorName: auditActor.name,
    ip: auditActor.ip,
    requestId: auditActor.requestId,
    isSilent: auditActor.isSilent ?? false,
    now,
    isAudited: auditActor.type !== 'client',
    audited: null
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
  'audited'
] as const

/** Within a statement that has written the row `ticket`: its columns for the event. */
export const ofTicket = ['ticket.id', 'ticket.client_id', 'ticket.department_id'] as const

export function kindOf(kind: EventKind) {
  return sql.lit(kind).as('kind')
}

/** Who did it, from where and when, in the order of `eventColumns`. */
export function actorColumns(p: TimelineEvent) {
  return [
    sql<ActorType>`${p.actorType}`.as('actor_type'),
    sql<number | null>`${p.actorId}`.as('actor_id'),
    sql<string>`${p.actorName}`.as('actor_name'),
    sql<string | null>`${p.ip}`.as('ip_address'),
    sql<string | null>`${p.requestId}`.as('request_id'),
    sql<Date>`${p.now}`.as('created_at'),
    sql<boolean>`${p.isSilent}::boolean`.as('is_silent'),
    sql<boolean>`${p.isAudited}::boolean`.as('is_audited'),
    sql<string | null>`${p.audited}::json`.as('audited')
  ] as const
}

/** Values as the JSON of an event's `before` or `after`; null if there are none. */
export function facts(given: Record<string, unknown> | null) {
  if (!given) return sql<string | null>`null::json`
  const parts = Object.entries(given).map(([name, value]) => sql`${sql.lit(name)}, ${value}`)
  return sql<string | null>`json_build_object(${sql.join(parts)})`
}
