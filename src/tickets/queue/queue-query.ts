import { type Static, type TArray, type TOptional, type TSchema, Type } from 'typebox'
import { ratings } from '../../core/tables/csat.ts'
import { BooleanInput, DateOrTime, Id, OneOf, Text } from '../../kit/schemas.ts'
import { parseDateOrTime, secondsAfter, timestamp } from '../../lib/time.ts'
import type { IndexedConditions } from '../conditions/custom-to-sql.ts'
import { type ConditionField, fields } from '../conditions/fields.ts'
import { type Condition, type Conditions, ListConditions } from '../conditions/schemas.ts'
import { TagName } from '../ticket/desk-schemas.ts'
import { directions, sorts } from './cursor.ts'
import { DueFilter } from './due-filter.ts'

/** One filter of the queue: its input, and the condition that it stands for. */
interface Filter<S extends TSchema> {
  schema: S
  condition(given: Static<S>): Condition
}

type Fields = typeof fields
type ValueOf<Field> = Field extends { filter: infer Value extends TSchema } ? Value : never
type FieldWithFilter = { [Name in keyof Fields]: Fields[Name] extends { filter: TSchema } ? Name : never }[keyof Fields]

/** Of the fields that say that they have one: each takes one or more values. */
const filtersOfFields = Object.fromEntries(
  Object.entries(fields).flatMap(([field, { filter: value, options }]: [string, ConditionField]) => {
    if (!value) return []
    const hints = { maxItems: options!.length, 'x-one': true, description: 'A list or a single value.' }
    return [[field, filter(Type.Array(value, hints), value => ({ field, op: 'in', value }))]]
  })
) as { [Name in FieldWithFilter]: Filter<TArray<ValueOf<Fields[Name]>>> }

/**
 * The filters of the queue: a short way to write the conditions for which people ask most. The input of the list and the contents of saved views
 * follow from here. Times are `YYYY-MM-DD`, optionally with `HH:MM:SS`. Values that do not exist match nothing.
 */
const filters = {
  ...filtersOfFields,
  department_id: filter(Id(), value => ({ field: 'department_id', op: 'is', value })),
  assigned_staff_id: filter(Id(), value => ({ field: 'assigned_staff_id', op: 'is', value })),
  unassigned: filter(BooleanInput(), is => ({ field: 'assigned_staff_id', op: is ? 'not_set' : 'is_set' })),
  client_id: filter(Id(), value => ({ field: 'client_id', op: 'is', value })),
  organisation_id: filter(
    Type.Unsafe<number>({ ...Id(3), description: 'To which the client belonged when the ticket was opened.' }),
    value => ({ field: 'organisation_id', op: 'is', value })
  ),
  tag: filter(TagName, name => ({ field: 'tags', op: 'has_any', value: [name] })),
  tag_id: filter(Id(), id => ({ field: 'tags', op: 'has_any', value: [id] })),
  created_from: filter(DateOrTime('2026-11-01'), from => ({ field: 'created_at', op: 'after', value: plain(from) })),
  created_to: filter(DateOrTime('2026-11-30'), end => ({ field: 'created_at', op: 'before', value: endOf(end) })),
  updated_from: filter(DateOrTime('2026-11-20 08:00:00'), from => ({
    field: 'updated_at',
    op: 'after',
    value: plain(from)
  })),
  updated_to: filter(DateOrTime('2026-11-20 17:59:59'), end => ({
    field: 'updated_at',
    op: 'before',
    value: endOf(end)
  })),
  rating: filter(OneOf(ratings, 'bad'), value => ({ field: 'rating', op: 'is', value })),
  watched: filter(BooleanInput(), value => ({ field: 'watched', op: 'is', value })),
  waiting: filter(
    Type.Unsafe<0 | 1>({
      ...BooleanInput(),
      description:
        'Whether a message of the client has no answer yet, in a ticket that is not closed. 0 or 1; `false` and `true` are read as these.'
    }),
    is => ({ field: 'waiting_since', op: is ? 'is_set' : 'not_set' })
  ),
  waiting_since: filter(
    Type.Unsafe<string>({
      ...DateOrTime('2026-11-19 12:00:00'),
      description: 'Only tickets that have waited since then or longer.'
    }),
    end => ({ field: 'waiting_since', op: 'before', value: endOf(end) })
  )
}

type Filters = typeof filters
type FilterName = keyof Filters
type Inputs = { [Name in FilterName]: TOptional<Filters[Name]['schema']> }

const filterFields = Object.fromEntries(
  Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)])
) as Inputs

/** Synonyms of its fields. */
export const queueSynonyms = { deptid: 'department_id', is_waiting: 'waiting', waiting_before: 'waiting_since' }

export const queueQueryOptions = {
  additionalProperties: false,
  'x-ignored': ['page', 'limit', 'offset', 'cursor'],
  examples: [{ waiting: 1, department_id: 4 }],
  'x-synonyms': queueSynonyms
}

/** The filters and the order of a list of tickets; a missing filter does not apply. */
export const QueueQuery = Type.Object(
  {
    ...filterFields,
    conditions: Type.Optional(ListConditions),
    sla_due: Type.Optional(DueFilter),
    search: Type.Optional(Text(255, 'printer')),
    /** Tickets in the trash instead of the others. */
    trashed: Type.Optional(BooleanInput(0)),
    /** Merged tickets instead of the others. */
    merged: Type.Optional(BooleanInput(0)),
    snoozed: Type.Optional(
      Type.Unsafe<0 | 1 | 'any'>({
        type: ['integer', 'string'],
        enum: [0, 1, 'any'],
        examples: [1],
        'x-flag': true,
        description:
          'Only snoozed tickets (1), none of them (0, the default), or all (`any`, the default with `search`, `client_id`, `trashed` or `merged`).'
      })
    ),
    sort: Type.Optional(
      Type.Unsafe<(typeof sorts)[number]>({
        ...OneOf(sorts),
        description:
          'By the last change (the default), the time of opening, the priority, or the end of the snooze (the default with `snoozed: 1`): those that wait for their client come after all times, and those that are not snoozed before; or when the first clock is due, with tickets for which none runs last. Tickets that are equal in it follow by id.'
      })
    ),
    direction: Type.Optional(
      Type.Unsafe<(typeof directions)[number]>({
        ...OneOf(directions),
        description:
          '`desc`, the default: newest or most urgent first. By `sla_due` and `snoozed_until` the default is `asc`: first due, first to wake.'
      })
    )
  },
  queueQueryOptions
)
export type QueueQuery = Static<typeof QueueQuery>

type QueueFilters = Pick<QueueQuery, FilterName>

/** A list of tickets in the language of conditions. */
export interface QueueSelection extends Omit<QueueQuery, FilterName | 'conditions'> {
  conditions: Conditions
  /** Those of the conditions that indexes of custom fields find, for the page and for its total, which needs no order. */
  indexed?: { page: IndexedConditions; total: IndexedConditions }
}

/** The same list, with a condition for each filter before those given; what a filter says already is left out. */
export function selectionOf({ conditions, ...query }: QueueQuery): QueueSelection {
  const ofFilters = filtersIn(query).map(name => ({ any: [conditionOf(name, query)] }))
  const said = new Set(ofFilters.map(group => JSON.stringify(group)))
  const others = (conditions?.all ?? []).filter(group => !said.has(JSON.stringify(group)))
  const rest = Object.entries(query).filter(([name]) => !Object.hasOwn(filters, name))
  return { ...Object.fromEntries(rest), conditions: { all: [...ofFilters, ...others] } }
}

/** The names of the given filters, in the order of their conditions. */
export function filtersIn(given: QueueFilters): FilterName[] {
  return (Object.keys(filters) as FilterName[]).filter(name => given[name] !== undefined)
}

function conditionOf(name: FilterName, given: QueueFilters): Condition {
  const { condition }: Filter<TSchema> = filters[name]
  return condition(given[name])
}

function filter<S extends TSchema>(schema: S, condition: (given: Static<S>) => Condition): Filter<S> {
  return { schema, condition }
}

/** A day as it is; a time to the second, in the format of the contract. */
function plain(text: string): string {
  return text.includes(':') ? timestamp(parseDateOrTime(text)) : text
}

/** The exclusive end: the next day for a day, the next second for a time. */
function endOf(text: string): string {
  const isTime = text.includes(':')
  const end = secondsAfter(parseDateOrTime(text), isTime ? 1 : 86_400)
  const written = end.getUTCFullYear() > 9999 ? '9999-12-31 23:59:59' : timestamp(end)
  return isTime ? written : written.slice(0, 10)
}
