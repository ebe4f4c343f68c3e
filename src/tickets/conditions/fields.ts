import { type RawBuilder, sql } from 'kysely'
import type { TUnsafe } from 'typebox'
import { ratings } from '../../core/tables/csat.ts'
import type { DefinitionKind } from '../../core/tables/definitions.ts'
import { ticketPriorities, ticketStatuses } from '../../core/tables/tickets.ts'
import { Priority, Status } from '../ticket/schemas.ts'
import { unansweredSince } from '../ticket/unanswered.ts'
import { channelOf, channels } from './channel.ts'
import type { FieldKind } from './operators.ts'

/** What SQL of a field applies to: a table with the columns of `tickets`, and the member of staff who asks. */
export interface On {
  of(column: string): RawBuilder<unknown>
  staff: number
}

/** The kinds of definitions and people that values of conditions name. */
export type NamedKind = Extract<
  DefinitionKind,
  'department' | 'staff' | 'tag' | 'client' | 'organisation' | 'calendar' | 'field'
>

/** A field of tickets that a condition may name. */
export interface ConditionField {
  kind: FieldKind
  /** In OpenAPI. */
  label: string
  /** The values of a select. They are part of a query's text, so that the planner can choose a partial index. */
  options?: readonly string[]
  /** The schema of a value, if the queue has a filter of this name that takes one or more of them. */
  filter?: TUnsafe<string>
  /** The kind of definition or person that its values name. */
  names?: NamedKind
  /** What its values are compared with in SQL. */
  sql(on: On): RawBuilder<unknown>
  /** The id in the database for the values that the API takes, if it is another: given one, and given a list. */
  ids?: { one(value: unknown): RawBuilder<unknown>; many(values: unknown): RawBuilder<unknown> }
  /** What is true of every ticket in which it is set, so that the planner can use a partial index. */
  impliedBySet?: RawBuilder<boolean>
  /** Its fact, in the values of the API, if it is not what `sql` says. */
  fact?: RawBuilder<unknown>
  /** Its column is never null, so that `not in` means the same as what unset values need, and finds an index. */
  isAlwaysSet?: true
  /** Its values lie beside the tickets, so that each costs a look there. */
  isBeside?: true
  /** The database keeps sums by it. */
  isCounted?: true
  /** It depends on who asks, or is no property of a ticket alone: for lists and their views only. */
  isOfLists?: true
}

const column = (name: string) => (on: On) => on.of(name)

const tagIds = sql`array(select tag_id from ticket_tags where ticket_id = tickets.id order by tag_id)`

/** Watched by the member of staff who asks, or a part of it that is merged into it. */
const isWatched = ({ staff }: On) => sql`tickets.id in (
  select ticket_id from ticket_watchers where staff_id = ${staff}
  union all select merged_into_id from ticket_watchers join tickets as part on part.id = ticket_id
    where staff_id = ${staff} and merged_into_id is not null)`

/**
 * Every field that conditions, filters of lists and saved views may name. The schema of conditions, both evaluators, OpenAPI and the plain
 * filters of the queue follow from here: another field takes an entry here. Its fact in memory has the same name (`ticketFacts`).
 */
export const fields = {
  status: {
    kind: 'select',
    label: 'its status',
    options: ticketStatuses,
    filter: Status,
    sql: column('status'),
    isAlwaysSet: true,
    isCounted: true
  },
  priority: {
    kind: 'select',
    label: 'its priority',
    options: ticketPriorities,
    filter: Priority,
    sql: column('priority'),
    isAlwaysSet: true
  },
  department_id: {
    kind: 'id',
    label: 'the deptid of its department',
    names: 'department',
    sql: column('department_id'),
    ids: {
      one: deptid => sql`(select id from departments where deptid = ${deptid})`,
      many: deptids => sql`array(select id from departments where deptid = any(${deptids}::bigint[]))`
    },
    fact: sql`(select deptid from departments where id = tickets.department_id)`,
    isCounted: true
  },
  assigned_staff_id: {
    kind: 'id',
    label: 'the member of staff to whom it is assigned',
    names: 'staff',
    sql: column('assigned_staff_id'),
    isCounted: true
  },
  tags: { kind: 'tags', label: 'its tags, by name', names: 'tag', sql: () => tagIds },
  client_id: { kind: 'id', label: 'its client', names: 'client', sql: column('client_id') },
  organisation_id: {
    kind: 'id',
    label: 'the organisation to which its client belonged when it was opened',
    names: 'organisation',
    sql: column('organisation_id')
  },
  channel: { kind: 'select', label: 'how it came', options: channels, sql: () => channelOf },
  subject: { kind: 'text', label: 'its subject', sql: column('subject') },
  created_at: { kind: 'time', label: 'when it was opened', sql: column('created_at') },
  updated_at: { kind: 'time', label: 'when it last changed', sql: column('updated_at') },
  waiting_since: {
    kind: 'time',
    label: 'since when a message of its client has had no answer (closed tickets wait for none)',
    sql: () => unansweredSince,
    impliedBySet: sql`tickets.status <> 'Closed'`,
    isOfLists: true
  },
  rating: {
    kind: 'select',
    label: 'how its client has rated it, the last time',
    options: ratings,
    sql: () => sql`(select rating from csat_surveys as rated where rated.ticket_id = tickets.id and rated.rating is not null
      order by rated.id desc limit 1)`,
    impliedBySet: sql`tickets.id in (select rated.ticket_id from csat_surveys as rated where rated.rating is not null)`,
    isBeside: true,
    isOfLists: true
  },
  watched: { kind: 'checkbox', label: 'whether the caller watches it', sql: isWatched, isOfLists: true }
} as const satisfies Record<string, ConditionField>

type FieldName = keyof typeof fields

/** The field of this name, if there is one. Whether a custom field exists, `requireCustomFields` looks up. */
export function fieldNamed(name: string): ConditionField | undefined {
  if (Object.hasOwn(fields, name)) return fields[name as FieldName]
  return customIdOf(name) === undefined ? undefined : customField(name)
}

/** The id of the custom field that a condition names, of the ticket or of an event: `f12`. */
export function customIdOf(name: string): number | undefined {
  const [, id] = /^(?:event\.(?:before|after)\.)?f([1-9]\d{0,14})$/.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

function customField(slot: string): ConditionField {
  return {
    kind: 'custom',
    label: 'a custom field',
    isBeside: true,
    sql: () => sql`(select values -> ${sql.lit(slot)} from ticket_fields where ticket_fields.ticket_id = tickets.id)`
  }
}
