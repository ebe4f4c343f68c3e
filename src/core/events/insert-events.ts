import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { ActorType } from '../tables/columns.ts'
import type { EventCause } from '../tables/events.ts'
import { isAudited, type NewEventFacts } from './catalogue.ts'

/** What it happened to. */
interface Subject {
  type:
    | 'ticket'
    | 'client'
    | 'staff'
    | 'department'
    | 'organisation'
    | 'tag'
    | 'canned_reply'
    | 'macro'
    | 'view'
    | 'sla_policy'
    | 'field'
    | 'ticket_form'
    | 'rule'
    | 'setting'
    | 'audit_log'
    | 'webhook'
    | 'mail'
    | 'mailbox'
    | 'mail_log'
    | 'blocked_sender'
    | 'calendar'
    | 'article'
    | 'article_category'
    | 'article_picture'
  id: number | null
}

/** Who did it, and from where. */
interface EventActor {
  type: ActorType
  id: number | null
  name: string
  ip: string | null
  requestId: string | null
  isSilent?: boolean
}

/** An event of a ticket or another subject: ids and small facts, never a secret or the text of a message. */
export type NewEvent = (OfTicket | { subject: Subject }) & NewEventFacts & AuditedFacts & Caused

interface Caused {
  /** What made the system act. */
  cause?: EventCause
}

interface AuditedFacts {
  /** What the audit log contains instead: it outlives the ticket, so it must not have all that the timeline may show. `false`: nothing. */
  logged?: { before?: object; after?: object } | false
}

interface OfTicket {
  /** The ticket on whose timeline it appears. */
  ticket: number
  /** Whose ticket it was, where it is gone. */
  clientId?: number
}

export type NewEventWithActor = NewEvent & { by: EventActor }

/** Writes events, in this order, in the transaction of the change itself. The sequencer adds them to the audit log within a second. */
export async function insertEvents(db: Db, events: readonly NewEventWithActor[], now: Date): Promise<void> {
  if (events.length > 0) await insert(db, { events: JSON.stringify(events.map(rowOf)), now })
}

/** As the statement reads it, with JSON as text. */
function rowOf(event: NewEventWithActor) {
  const { kind, before, after, logged, by, cause } = event
  // The id of a ticket is there already.
  const of = 'ticket' in event ? { type: 'ticket', id: null } : event.subject
  return {
    kind,
    subject_type: of.type,
    subject_id: of.id,
    ticket_id: 'ticket' in event ? event.ticket : null,
    client_id: clientOf(event),
    actor_type: by.type,
    actor_id: by.id,
    actor_name: by.name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    ip_address: by.ip,
    request_id: by.requestId,
    is_silent: by.isSilent ?? false,
    is_audited: logged !== false && isAudited(kind, by.type),
    audited: logged && JSON.stringify({ before, after, ...logged }),
    cause: cause && JSON.stringify(cause)
  }
}

/** Whose data it is, unless the ticket says so. */
function clientOf(event: NewEventWithActor): number | null {
  if ('ticket' in event && event.clientId !== undefined) return event.clientId
  if ('subject' in event && event.subject.type === 'client') return event.subject.id
  return event.by.type === 'client' ? event.by.id : null
}

type Listed = { [Name in keyof ReturnType<typeof rowOf>]: ReturnType<typeof rowOf>[Name] } & { ordinality: number }

const insert = prepared((db, p: { events: string; now: Date }) =>
  db
    .insertInto('events')
    .columns([
      'kind',
      'subject_type',
      'subject_id',
      'ticket_id',
      'client_id',
      'department_id',
      'actor_type',
      'actor_id',
      'actor_name',
      'before',
      'after',
      'ip_address',
      'request_id',
      'created_at',
      'is_silent',
      'is_audited',
      'audited',
      'cause'
    ])
    .expression(db =>
      db
        .selectFrom(listed(p.events).as('event'))
        .select(({ fn, selectFrom }) => [
          'event.kind',
          'event.subject_type',
          'event.subject_id',
          'event.ticket_id',
          // Looked up for each: nobody knows how many there are, and a join might read all tickets.
          fn
            .coalesce(
              selectFrom('tickets').whereRef('id', '=', 'event.ticket_id').select('client_id'),
              'event.client_id'
            )
            .as('client_id'),
          selectFrom('tickets').whereRef('id', '=', 'event.ticket_id').select('department_id').as('department_id'),
          'event.actor_type',
          'event.actor_id',
          'event.actor_name',
          sql<string | null>`event.before::json`.as('before'),
          sql<string | null>`event.after::json`.as('after'),
          'event.ip_address',
          'event.request_id',
          sql<Date>`${p.now}::timestamptz`.as('created_at'),
          'event.is_silent',
          'event.is_audited',
          sql<string | null>`event.audited::json`.as('audited'),
          sql<string | null>`event.cause::json`.as('cause')
        ])
        .orderBy('event.ordinality')
    )
)

/** JSON within JSON is text, so that no character of it is read before it is stored. */
function listed(events: string) {
  return sql<Listed>`rows from (json_to_recordset(${events}::json) as (
    "kind" text, "subject_type" text, "subject_id" bigint, "ticket_id" bigint, "client_id" bigint,
    "actor_type" text, "actor_id" bigint, "actor_name" text, "before" text, "after" text,
    "ip_address" text, "request_id" text, "is_silent" boolean, "is_audited" boolean, "audited" text, "cause" text)) with ordinality`
}
