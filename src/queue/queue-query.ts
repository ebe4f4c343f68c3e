import { type RawBuilder, sql } from 'kysely'
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { Choice, Id, Moment, OneOf, Text } from '../kit/schemas.ts'
import { momentOf, secondsAfter } from '../lib/time.ts'
import { TagName } from '../tickets/desk-schemas.ts'
import { Priority, Status } from '../tickets/schemas.ts'
import { unansweredSince } from '../tickets/unanswered.ts'
import { directions, sorts } from './cursor.ts'

/** One filter of the queue: what it takes, and which tickets fit. */
interface Filter<S extends TSchema> {
  schema: S
  /** Its value stands in the text of the query, so that the planner can tell which partial index holds the tickets. */
  isLiteral: boolean
  /** The sums that the database keeps tell it, so that tickets need not be counted one by one. */
  isCounted: boolean
  /** What stands for it in the query unless it is literal. */
  parameterOf(given: Static<S>): unknown
  // biome-ignore lint/suspicious/noExplicitAny: each filter sees the value that its own schema lets through.
  fits(value: any, on: On): RawBuilder<boolean>
}

/** What a filter is asked of: a column of `tickets`, or of their counts; `staff` is whoever asks. */
interface On {
  of(column: string): RawBuilder<unknown>
  staff: number
}

const oneOrMore = 'A list or a single value.'

/**
 * The filters of the queue. From here follow the input of the list, its SQL and what a saved view may hold: another filter is a line
 * here and its test. Times are `YYYY-MM-DD` or with `HH:MM:SS`. What is named and does not exist fits nothing.
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
    Choice(),
    (is, { of }) => sql`${of('assigned_staff_id')} ${is ? sql`is null` : sql`is not null`}`,
    {
      isCounted: true
    }
  ),
  client_id: parameter(Id(), id => sql`tickets.client_id = ${id}`),
  tag: parameter(TagName, name => taggedWith(sql`lower(tags.name) = lower(${name})`)),
  tag_id: parameter(Id(), id => taggedWith(sql`tags.id = ${id}`)),
  created_from: parameter(Moment('2026-11-01'), from => sql`tickets.created_at >= ${from}`, { as: momentOf }),
  created_to: parameter(Moment('2026-11-30'), end => sql`tickets.created_at < ${end}`, { as: endOf }),
  updated_from: parameter(Moment('2026-11-20 08:00:00'), from => sql`tickets.updated_at >= ${from}`, { as: momentOf }),
  updated_to: parameter(Moment('2026-11-20 17:59:59'), end => sql`tickets.updated_at < ${end}`, { as: endOf }),
  watched: literal(
    Choice(),
    (is, { staff }) => sql`tickets.id ${is ? sql`in` : sql`not in`} (
      select ticket_id from ticket_watchers where staff_id = ${staff}
      union all select merged_into_id from ticket_watchers join tickets as part on part.id = ticket_id
        where staff_id = ${staff} and merged_into_id is not null)`
  ),
  // That it is not closed leads to the index of what is open.
  waiting: literal(Choice(), is =>
    is ? sql`(tickets.status <> 'Closed' and ${unansweredSince} is not null)` : sql`${unansweredSince} is null`
  ),
  waiting_since: parameter(
    Type.Unsafe<string>({
      ...Moment('2026-11-19 12:00:00'),
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

/** Other names of its fields. */
export const queueSynonyms = { deptid: 'department_id', is_waiting: 'waiting', waiting_before: 'waiting_since' }

/** What a list of tickets is narrowed to and how it is ordered; what is not given narrows nothing. */
export const QueueQuery = Type.Object(
  {
    ...filterFields,
    search: Type.Optional(Text(255, 'printer')),
    /** What lies in the trash instead of what does not. */
    trashed: Type.Optional(Choice(0)),
    /** What was merged into other tickets instead of what stands for itself. */
    merged: Type.Optional(Choice(0)),
    sort: Type.Optional(OneOf(sorts)),
    direction: Type.Optional(OneOf(directions))
  },
  { examples: [{ waiting: 1, department_id: 4 }], 'x-synonyms': queueSynonyms }
)
export type QueueQuery = Static<typeof QueueQuery>

export type QueueFilters = Pick<QueueQuery, FilterName>

/** What stands for the values of the filters in the query, by their names. */
export type FilterValues = Partial<Record<FilterName, unknown>>

/** The values of those filters that are given. */
export function valuesOf(given: QueueFilters): FilterValues {
  return Object.fromEntries(
    namesIn(given).map(name => [name, (filters[name] as Filter<TSchema>).parameterOf(given[name])])
  )
}

/** All that the text of the query depends on: which filters there are, and the values of those that stand in it. */
export function kindOf(given: QueueFilters): object {
  return namesIn(given).map(name => [name, filters[name].isLiteral ? given[name] : null])
}

/** The conditions of these filters, for any values of them, on `tickets` or on the sums that the database keeps of them. */
export function conditionsOf(
  table: 'tickets' | 'ticket_counts',
  given: QueueFilters,
  p: FilterValues & { staff: number }
): RawBuilder<boolean>[] {
  const on: On = { of: column => sql.ref(`${table}.${column}`), staff: p.staff }
  return namesIn(given).map(name => filters[name].fits(filters[name].isLiteral ? given[name] : p[name], on))
}

/** Whether tickets are counted by all that these filters ask for, so that the sums tell how many there are. */
export function areCounted(given: QueueFilters): boolean {
  return namesIn(given).every(name => filters[name].isCounted)
}

/** The filters that are given, in one order. */
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

/** Values of an enumeration, which hold nothing that a text in SQL could not. */
function listed(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map(value => sql.lit(value)))
}

function taggedWith(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`tickets.id in (
    select ticket_id from ticket_tags join tags on tags.id = ticket_tags.tag_id where ${condition})`
}

/** The first moment that is no longer meant: a day is meant to its end, a moment to the end of its second. */
function endOf(text: string): Date {
  return secondsAfter(momentOf(text), text.includes(':') ? 1 : 86_400)
}
