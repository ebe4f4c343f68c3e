import { type RawBuilder, sql } from 'kysely'
import { type Compiled, customSql, customValues, type IndexedConditions, indexedCustom } from './custom-to-sql.ts'
import { type ConditionField, fieldNamed, type On } from './fields.ts'
import { dayOf, momentOf } from './moments.ts'
import type { Condition, Conditions } from './schemas.ts'

/** Values by the names of their parameters. */
type Parameters = Readonly<Record<string, unknown>>

/** Conditions for a prepared query: its text depends on `kind` alone, and `values` are its parameters. */
export interface CompiledConditions {
  kind: unknown
  values: Parameters
  /** A condition on the table for each group. `p`: the parameters. */
  of(table: 'tickets' | 'ticket_counts', p: Parameters & { staff: number }): RawBuilder<boolean>[]
  /** Whether the sums that the database keeps cover all of them. */
  areCounted: boolean
}

/** The same as `judge`, for queries on tickets: a test compares the two. */
export function compileToSql(conditions: Conditions, now: Date, indexed?: IndexedConditions): CompiledConditions {
  const groups = conditions.all.map(({ any }, group) =>
    any.map((condition, place) => {
      const name = `c${group}_${place}`
      return indexedCustom(condition, name, indexed) ?? compiled(condition, name, now)
    })
  )
  return {
    kind: groups.map(group => group.map(({ kind }) => kind)),
    values: Object.assign({}, ...groups.flat().map(({ values }) => values)),
    of(table, p) {
      const on: On = { of: column => sql.ref(`${table}.${column}`), staff: p.staff }
      return groups.map(
        group =>
          sql`(${sql.join(
            group.map(({ fits }) => fits(on, p)),
            sql` or `
          )})`
      )
    },
    areCounted: conditions.all.every(({ any }) => any.every(({ field }) => fieldNamed(field)?.isCounted))
  }
}

function compiled(condition: Condition, name: string, now: Date): Compiled {
  const { field: fieldName, op, value } = condition
  const field = fieldNamed(fieldName)!
  const fits = (on: On, p: Parameters) => {
    const fits = fitsSql(condition, field, on, p, name)
    return field.impliedBySet && op !== 'not_set' ? sql<boolean>`(${field.impliedBySet} and ${fits})` : fits
  }
  switch (field.kind) {
    case 'select':
    case 'checkbox':
      // Values of our own, in the text.
      return { kind: [fieldName, op, value], values: {}, fits }
    case 'tags':
      return { kind: [fieldName, op], values: tagValues(name, value), fits }
    case 'custom':
      return { kind: [fieldName, op], values: customValues(name, condition, now), fits }
    case 'time':
      return { kind: [fieldName, op], values: timeValues(name, condition, now), fits }
    default:
      return { kind: [fieldName, op], values: { [name]: value }, fits }
  }
}

/** Names in lower case, and ids. */
function tagValues(name: string, value: Condition['value']): Parameters {
  const tags = Array.isArray(value) ? value : []
  return {
    [name]: tags.filter(tag => typeof tag === 'number'),
    [`${name}_names`]: tags.filter(tag => typeof tag === 'string')
  }
}

function timeValues(name: string, { op, value }: Condition, now: Date): Parameters {
  switch (op) {
    case 'is': {
      const { from, to } = dayOf(String(value))!
      return { [name]: from, [`${name}_end`]: to }
    }
    case 'older_than':
      return { [name]: new Date(now.getTime() - Number(value) * 60_000) }
    case 'before':
    case 'after':
      return { [name]: momentOf(String(value)) }
    default:
      return {}
  }
}

function fitsSql(
  condition: Condition,
  field: ConditionField,
  on: On,
  p: Parameters,
  name: string
): RawBuilder<boolean> {
  const { op, value } = condition
  const column = field.sql(on)
  if (op === 'is_set') return field.kind === 'tags' ? sql`exists (${tagsOfTicket})` : sql`${column} is not null`
  if (op === 'not_set') return field.kind === 'tags' ? sql`not exists (${tagsOfTicket})` : sql`${column} is null`
  switch (field.kind) {
    case 'select':
      return selectSql(condition, field, column)
    case 'checkbox':
      return value === 1 || value === true ? sql`${column}` : sql`not (${column})`
    case 'tags':
      return tagsSql(op, p[name], p[`${name}_names`])
    case 'custom':
      return customSql(op, column, p[name])
    case 'time':
      return timeSql(op, column, p[name], p[`${name}_end`])
    case 'id':
      return idSql(op, column, field, p[name])
    default:
      return scalarSql(op, column, field.kind === 'number' ? sql`${p[name]}::numeric` : sql`${p[name]}::text`)
  }
}

function selectSql({ op, value }: Condition, field: ConditionField, column: RawBuilder<unknown>): RawBuilder<boolean> {
  const values = Array.isArray(value) ? value : [value]
  if (values.length === 0) return sql.lit(op === 'not_in')
  const literals = sql.join(values.map(each => sql.lit(String(each))))
  if (op === 'is' || op === 'in') return sql`${column} in (${literals})`
  // The planner finds no index by `is distinct from`.
  return field.isAlwaysSet ? sql`${column} not in (${literals})` : sql`(${column} in (${literals})) is not true`
}

function idSql(
  op: Condition['op'],
  column: RawBuilder<unknown>,
  field: ConditionField,
  p: unknown
): RawBuilder<boolean> {
  const { one, many } = field.ids ?? plainIds
  switch (op) {
    case 'is':
      return sql`${column} = ${one(p)}`
    case 'is_not':
      return sql`${column} is distinct from ${one(p)}`
    case 'in':
      return sql`${column} = any(${many(p)})`
    default:
      return sql`(${column} = any(${many(p)})) is not true`
  }
}

const plainIds = {
  one: (value: unknown) => sql`${value}::bigint`,
  many: (values: unknown) => sql`${values}::bigint[]`
}

const tagsOfTicket = sql`select from ticket_tags where ticket_tags.ticket_id = tickets.id`

function tagsSql(op: Condition['op'], ids: unknown, names: unknown): RawBuilder<boolean> {
  const chosen = sql`array(select id from tags where id = any(${ids}::bigint[])
    or lower(name) in (select lower(given) from unnest(${names}::text[]) as given))`
  return op === 'has_any'
    ? sql`tickets.id in (select ticket_id from ticket_tags where tag_id = any(${chosen}))`
    : sql`not exists (${tagsOfTicket} and ticket_tags.tag_id = any(${chosen}))`
}

function timeSql(op: Condition['op'], column: RawBuilder<unknown>, from: unknown, to: unknown): RawBuilder<boolean> {
  if (op === 'is') return sql`(${column} >= ${from} and ${column} < ${to})`
  return op === 'after' ? sql`${column} >= ${from}` : sql`${column} < ${from}`
}

function scalarSql(op: Condition['op'], column: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<boolean> {
  switch (op) {
    case 'is':
      return sql`${column} = ${value}`
    case 'is_not':
      return sql`${column} is distinct from ${value}`
    case 'contains':
      return sql`position(lower(${value}) in lower(${column})) > 0`
    case 'less':
      return sql`${column} < ${value}`
    default:
      return sql`${column} > ${value}`
  }
}
