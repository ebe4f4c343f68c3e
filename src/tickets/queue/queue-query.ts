import { type RawBuilder, sql } from 'kysely'
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { BooleanInput, DateOrTime, Id, OneOf, Text } from '../../kit/schemas.ts'
import { parseDateOrTime, secondsAfter } from '../../lib/time.ts'
import { TagName } from '../ticket/desk-schemas.ts'
import { Priority, Status } from '../ticket/schemas.ts'
import { unansweredSince } from '../ticket/unanswered.ts'
import { directions, sorts } from './cursor.ts'

/** One filter of the queue: its input, and the condition on tickets. */
interface Filter<S extends TSchema> {
  schema: S
  /** The value is part of the query's text, so that the planner can choose a partial index. */
  isLiteral: boolean
  /** The database keeps sums by it, so that tickets need not be counted one by one. */
  isCounted: boolean
  /** The parameter in the query, unless it is literal. */
  parameterOf(given: Static<S>): unknown
  // biome-ignore lint/suspicious/noExplicitAny: each filter sees the value that its own schema lets through.
  fits(value: any, on: On): RawBuilder<boolean>
}

/** What a filter applies to: a column of `tickets`, or of their counts; `staff` is the caller. */
interface On {
  of(column: string): RawBuilder<unknown>
  staff: number
}

const oneOrMore = 'A list or a single value.'

/**
 * The filters of the queue. The input of the list, its SQL and the contents of saved views follow from here: another filter takes a line
 * here and a test. Times are `YYYY-MM-DD`, optionally with `HH:MM:SS`. Values that do not exist match nothing.
 */
const filters = {
  status: literal(
    Type.Array(Status, { maxItems: 5, 'x-one': true, description: oneOrMore }),
    (statuses, { of }) => sql`${of('status')} in (${listed(statuses)})`,
    { isCounted: true }
  ),
  priority: literal(
    Type.Array(Priority, { maxItems: 4, 'x-one': true, description: oneOrMore }),
    priorities => sql`tickets.priority in (${listed(priorities)})`
  ),
  department_id: parameter(
    Id(),
    (deptid, { of }) => sql`${of('department_id')} = (select id from departments where deptid = ${deptid})`,
    { isCounted: true }
  ),
  assigned_staff_id: parameter(Id(), (id, { of }) => sql`${of('assigned_staff_id')} = ${id}`, { isCounted: true }),
  unassigned: literal(
    BooleanInput(),
    (is, { of }) => sql`${of('assigned_staff_id')} ${is ? sql`is null` : sql`is not null`}`,
    {
      isCounted: true
    }
  ),
  client_id: parameter(Id(), id => sql`tickets.client_id = ${id}`),
  tag: parameter(TagName, name => taggedWith(sql`lower(tags.name) = lower(${name})`)),
  tag_id: parameter(Id(), id => taggedWith(sql`tags.id = ${id}`)),
  created_from: parameter(DateOrTime('2026-11-01'), from => sql`tickets.created_at >= ${from}`, {
    as: parseDateOrTime
  }),
  created_to: parameter(DateOrTime('2026-11-30'), end => sql`tickets.created_at < ${end}`, { as: endOf }),
  updated_from: parameter(DateOrTime('2026-11-20 08:00:00'), from => sql`tickets.updated_at >= ${from}`, {
    as: parseDateOrTime
  }),
  updated_to: parameter(DateOrTime('2026-11-20 17:59:59'), end => sql`tickets.updated_at < ${end}`, { as: endOf }),
  watched: literal(
    BooleanInput(),
    (is, { staff }) => sql`tickets.id ${is ? sql`in` : sql`not in`} (
      select ticket_id from ticket_watchers where staff_id = ${staff}
      union all select merged_into_id from ticket_watchers join tickets as part on part.id = ticket_id
        where staff_id = ${staff} and merged_into_id is not null)`
  ),
  // The condition on the status lets the planner use the index of open tickets.
  waiting: literal(
    Type.Unsafe<0 | 1>({
      ...BooleanInput(),
      description:
        'Whether a message of the client has no answer yet, in a ticket that is not closed. 0 or 1; `false` and `true` are read as these.'
    }),
    is => (is ? sql`(tickets.status <> 'Closed' and ${unansweredSince} is not null)` : sql`${unansweredSince} is null`)
  ),
  waiting_since: parameter(
    Type.Unsafe<string>({
      ...DateOrTime('2026-11-19 12:00:00'),
      description: 'Only tickets that have waited since then or longer.'
    }),
    end => sql`(tickets.status <> 'Closed' and ${unansweredSince} < ${end})`,
    { as: endOf }
  )
}

type Filters = typeof filters
type FilterName = keyof Filters
type Fields = { [Name in FilterName]: TOptional<Filters[Name]['schema']> }

const filterFields = Object.fromEntries(
  Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)])
) as Fields

/** Synonyms of its fields. */
export const queueSynonyms = { deptid: 'department_id', is_waiting: 'waiting', waiting_before: 'waiting_since' }

/** The filters and the order of a list of tickets; a missing filter does not apply. */
export const QueueQuery = Type.Object(
  {
    ...filterFields,
    search: Type.Optional(Text(255, 'printer')),
    /** Tickets in the trash instead of the others. */
    trashed: Type.Optional(BooleanInput(0)),
    /** Merged tickets instead of the others. */
    merged: Type.Optional(BooleanInput(0)),
    sort: Type.Optional(
      Type.Unsafe<(typeof sorts)[number]>({
        ...OneOf(sorts),
        description:
          'By the last change (the default), the time of opening, or the priority. Tickets that are equal in it follow by id.'
      })
    ),
    direction: Type.Optional(
      Type.Unsafe<(typeof directions)[number]>({
        ...OneOf(directions),
        description: '`desc`, the default: newest or most urgent first.'
      })
    )
  },
  {
    additionalProperties: false,
    'x-ignored': ['page', 'limit', 'offset', 'cursor'],
    examples: [{ waiting: 1, department_id: 4 }],
    'x-synonyms': queueSynonyms
  }
)
export type QueueQuery = Static<typeof QueueQuery>

export type QueueFilters = Pick<QueueQuery, FilterName>

/** The parameter values of the filters, by name. */
export type FilterValues = Partial<Record<FilterName, unknown>>

/** The values of the given filters. */
export function valuesOf(given: QueueFilters): FilterValues {
  return Object.fromEntries(
    namesIn(given).map(name => [name, (filters[name] as Filter<TSchema>).parameterOf(given[name])])
  )
}

/** All that the text of the query depends on: the filters given, and the values of literal ones. */
export function kindOf(given: QueueFilters): object {
  return namesIn(given).map(name => [name, filters[name].isLiteral ? given[name] : null])
}

/** The conditions of these filters for any values, on `tickets` or on the sums that the database keeps of them. */
export function conditionsOf(
  table: 'tickets' | 'ticket_counts',
  given: QueueFilters,
  p: FilterValues & { staff: number }
): RawBuilder<boolean>[] {
  const on: On = { of: column => sql.ref(`${table}.${column}`), staff: p.staff }
  return namesIn(given).map(name => filters[name].fits(filters[name].isLiteral ? given[name] : p[name], on))
}

/** Whether the sums cover all of these filters, so that they tell the total. */
export function areCounted(given: QueueFilters): boolean {
  return namesIn(given).every(name => filters[name].isCounted)
}

/** The names of the given filters, in a fixed order. */
function namesIn(given: QueueFilters): FilterName[] {
  return (Object.keys(filters) as FilterName[]).filter(name => given[name] !== undefined)
}

type Fits<V> = (value: V, on: On) => RawBuilder<boolean>

function literal<S extends TSchema>(schema: S, fits: Fits<Static<S>>, { isCounted = false } = {}): Filter<S> {
  return { schema, isLiteral: true, isCounted, parameterOf: () => undefined, fits }
}

function parameter<S extends TSchema>(
  schema: S,
  fits: Fits<unknown>,
  { isCounted = false, as = given => given }: { isCounted?: boolean; as?: (given: Static<S>) => unknown } = {}
): Filter<S> {
  return { schema, isLiteral: false, isCounted, parameterOf: as, fits }
}

/** Values of an enumeration, which are safe as SQL literals. */
function listed(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map(value => sql.lit(value)))
}

function taggedWith(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`tickets.id in (
    select ticket_id from ticket_tags join tags on tags.id = ticket_tags.tag_id where ${condition})`
}

/** The exclusive end: the next day for a date, the next second for a time. */
function endOf(text: string): Date {
  return secondsAfter(parseDateOrTime(text), text.includes(':') ? 1 : 86_400)
}
