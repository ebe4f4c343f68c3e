import type { BodyOf } from '@deskline/client'
import type { Key } from '../../strings/keys.ts'
import { fieldNames, withFieldFilter } from './field-filter.ts'

/** The request of `tickets/list` without its position. */
export type QueueQuery = Omit<NonNullable<BodyOf<'/api/admin/tickets/list'>>, 'cursor' | 'page' | 'limit'>
export type Status = NonNullable<QueueQuery['status']>[number]
export type Priority = NonNullable<QueueQuery['priority']>[number]

export const statuses: readonly Status[] = ['Open', 'In Progress', 'Customer-Reply', 'Answered', 'Closed']
export const openStatuses: readonly Status[] = ['Open', 'In Progress', 'Answered', 'Customer-Reply']
export const priorities: readonly Priority[] = ['Critical', 'High', 'Medium', 'Low']
const sorts = ['updated', 'created', 'priority', 'snoozed_until'] as const
/** What is due first comes first: it has one direction. */
const dueFirst = 'sla_due'

interface Filter<Value> {
  /** The fields of the query that it sets. */
  fields: readonly (keyof QueueQuery)[]
  /** The value of the search parameter; undefined if that means nothing. */
  parse(text: string): Value | undefined
  queryOf(value: Value, context: { me: number; now: Date }): QueueQuery
  /** A view has none of its own, so `any` has no special meaning, and no chip shows it. */
  isNeverOfView?: true
  /** Of a flag: the text of its chip. */
  flag?: Key
  /** Of a closed list: the label of its chip, and the text of each value. */
  list?: { label: Key; texts: Readonly<Record<string, Key>> }
}

/**
 * The filters of a list, by their search parameters, in the order of their chips. A filter that the address leaves out is as in the view; `any`
 * removes that of the view. The chip of a `flag` or a `list` follows from here; others have one of their own, in `filters.tsx` or `more-chips.tsx`.
 */
const filters = {
  status: oneOrMore('status', statuses),
  priority: oneOrMore('priority', priorities),
  dept: filter({
    fields: ['department_id'],
    parse: idOf,
    queryOf: department_id => ({ department_id })
  }),
  assignee: filter({
    fields: ['assigned_staff_id', 'unassigned'],
    parse: text => (text === 'me' || text === 'none' ? text : idOf(text)),
    queryOf: (assignee, { me }) =>
      assignee === 'none' ? { unassigned: 1 } : { assigned_staff_id: assignee === 'me' ? me : assignee }
  }),
  tag: filter({
    fields: ['tag', 'tag_id'],
    parse: text => text,
    queryOf: tag => ({ tag })
  }),
  /** The client waits for an answer: at all (`1`), for so long (`4h`, `3d`), or since a moment. */
  waiting: filter({
    fields: ['waiting', 'waiting_since'],
    parse: text => /^(1|[1-9]\d{0,2}[hd]|\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?)$/.exec(text)?.[0],
    queryOf: (waiting, { now }) => (waiting === '1' ? { waiting: 1 } : { waiting_since: momentOf(waiting, now) })
  }),
  watched: flag('watched', 'inbox.watched'),
  merged: flag('merged', 'inbox.merged'),
  rating: filter({
    fields: ['rating'],
    list: { label: 'inbox.rating', texts: { good: 'inbox.ratedGood', bad: 'inbox.ratedBad' } },
    parse: text => (text === 'good' || text === 'bad' ? text : undefined),
    queryOf: rating => ({ rating })
  }),
  q: filter({
    fields: ['search'],
    parse: text => text.trim() || undefined,
    queryOf: search => ({ search }),
    isNeverOfView: true
  }),
  /** With a minus the other way round. */
  sort: filter({
    fields: ['sort', 'direction'],
    parse: text => [dueFirst, ...sorts.flatMap(sort => [sort, `-${sort}`])].find(sort => sort === text),
    queryOf: text => {
      if (text === dueFirst) return { sort: dueFirst }
      const sort = sorts.find(sort => text.endsWith(sort))!
      return { sort, direction: text === sort ? 'desc' : 'asc' }
    },
    isNeverOfView: true
  })
}

export type FilterName = keyof typeof filters
type ValueOf<Name extends FilterName> = (typeof filters)[Name] extends Filter<infer Value> ? Value : never

/** The filters and the order of a list, as its address has them. */
export type QueueSearch = { [Name in FilterName]?: ValueOf<Name> | 'any' } & {
  /** A custom field by its id, as `field-filter.ts` writes it. */
  [field: `f${number}`]: string | undefined
}

const entries = Object.entries(filters) as [FilterName, Filter<unknown>][]

/** The filters that have chips, in their order. */
export const shownFilters = entries.flatMap(([name, { isNeverOfView }]) => (isNeverOfView ? [] : [name]))

export function filterNamed(name: FilterName): Filter<unknown> {
  return filters[name] as Filter<unknown>
}

/** The search parameters that mean something. */
export function queueSearchOf(given: Record<string, unknown>): QueueSearch {
  const read = entries.map(([name, { parse, isNeverOfView }]) => {
    const value = given[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 255) : ''
    return [name, text === 'any' && !isNeverOfView ? text : text && parse(text)]
  })
  const fields = fieldNames(given).map(name => [name, String(given[name]).slice(0, 255)])
  return Object.fromEntries([...read.filter(([, value]) => value), ...fields])
}

/** Whether the address narrows or orders the list otherwise than its view does. */
export function isFiltered(search: QueueSearch): boolean {
  return entries.some(([name]) => search[name] !== undefined) || fieldNames(search).length > 0
}

/** The query of a view as the address changes it. `now` turns "for so long" into a moment. */
export function filteredBy(view: QueueQuery, search: QueueSearch, me: number, now: Date): QueueQuery {
  const query = { ...view }
  for (const [name, { fields, queryOf, isNeverOfView }] of entries) {
    const value = search[name]
    if (value === undefined) continue
    for (const field of fields) delete query[field]
    if (value !== 'any' || isNeverOfView) Object.assign(query, queryOf(value, { me, now }))
  }
  return fieldNames(search).reduce((query, name) => withFieldFilter(query, name, search[name]!), query)
}

/** Whether a query has this filter. */
export function hasFilter(query: QueueQuery, name: FilterName): boolean {
  return filterNamed(name).fields.some(field => query[field] !== undefined)
}

/** The search parameter for a chosen value; undefined if the view has the same value by itself. */
export function parameterFor(view: QueueQuery, name: FilterName, chosen: string | number): unknown {
  const { fields, parse, queryOf } = filterNamed(name)
  const value = parse(String(chosen))
  const query = queryOf(value, { me: 0, now: new Date() })
  const textOf = (given: unknown) => JSON.stringify(Array.isArray(given) ? given.toSorted() : given)
  return fields.every(field => textOf(query[field]) === textOf(view[field])) ? undefined : value
}

/** `In Progress` as an address has it: `in-progress`. */
export function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

/** The order of a list as its address has it. */
export function sortOf({ sort = 'updated', direction = 'desc' }: QueueQuery): string {
  return sort === dueFirst || direction === 'desc' ? sort : `-${sort}`
}

/** A moment as the API takes it. */
export function timestampOf(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

function filter<Value>(given: Filter<Value>): Filter<Value> {
  return given
}

/** One or more values, joined by commas so that people can read the address. */
function oneOrMore(field: keyof QueueQuery, values: readonly string[]): Filter<string> {
  const chosen = (text: string) => values.filter(value => text.split(',').includes(slug(value)))
  return {
    fields: [field],
    parse: text => chosen(text).map(slug).join(',') || undefined,
    queryOf: text => ({ [field]: chosen(text) })
  }
}

function flag(field: 'watched' | 'merged', text: Key): Filter<1> {
  return {
    fields: [field],
    flag: text,
    parse: text => (text === '1' ? 1 : undefined),
    queryOf: () => ({ [field]: 1 })
  }
}

function idOf(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** `3d` is three days before `now`; anything else is a moment itself. */
function momentOf(waiting: string, now: Date): string {
  const [, count, unit] = /^(\d+)([hd])$/.exec(waiting) ?? []
  return count
    ? timestampOf(new Date(now.getTime() - Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000)))
    : waiting
}
