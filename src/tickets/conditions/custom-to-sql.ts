import { type RawBuilder, sql } from 'kysely'
import type { On } from './fields.ts'
import { momentOf } from './moments.ts'
import type { Condition } from './schemas.ts'

type Parameters = Readonly<Record<string, unknown>>

/** One condition for a prepared query. */
export interface Compiled {
  kind: unknown
  values: Parameters
  fits(on: On, p: Parameters): RawBuilder<boolean>
}

/**
 * The parameter of a condition on a custom field, as JSON: values are compared as they are stored, so that no kind of field can make a cast fail.
 * A day is compared as text.
 */
export function customValues(name: string, { op, value }: Condition, now: Date): Record<string, unknown> {
  switch (op) {
    case 'is_set':
    case 'not_set':
      return {}
    case 'before':
      return { [name]: JSON.stringify(firstDayFrom(momentOf(String(value))!)) }
    case 'after':
      return { [name]: JSON.stringify(lastDayUntil(momentOf(String(value))!)) }
    case 'older_than':
      return { [name]: JSON.stringify(firstDayFrom(new Date(now.getTime() - Number(value) * 60_000))) }
    case 'is':
    case 'is_not':
      return { [name]: JSON.stringify(sameValues(value)) }
    default:
      return { [name]: JSON.stringify(value) }
  }
}

/** The first day that begins then or later. */
function firstDayFrom(moment: Date): string {
  const day = new Date(Math.ceil(moment.getTime() / 86_400_000) * 86_400_000)
  return day.getUTCFullYear() > 9999 ? '9999-12-32' : day.toISOString().slice(0, 10)
}

/** The last day that has begun by then. */
function lastDayUntil(moment: Date): string {
  return moment.getUTCFullYear() > 9999 ? '9999-12-31' : moment.toISOString().slice(0, 10)
}

/** A checkbox may be asked for as 0 or 1. */
function sameValues(value: Condition['value']): unknown[] {
  if (value === 1 || value === true) return [1, true]
  return value === 0 || value === false ? [0, false] : [value]
}

/** `column`: the stored value as JSON, null where there is none. */
export function customSql(op: Condition['op'], column: RawBuilder<unknown>, p: unknown): RawBuilder<boolean> {
  const json = sql`${p}::jsonb`
  switch (op) {
    case 'is':
    case 'in':
      return sql`${json} @> ${column}`
    case 'is_not':
    case 'not_in':
      return sql`(${json} @> ${column}) is not true`
    case 'has_any':
      return hasAny(column, json)
    case 'has_none':
      return sql`(${hasAny(column, json)}) is not true`
    case 'contains':
      return sql`position(lower(${json} #>> '{}') in lower(${column} #>> '{}')) > 0`
    case 'less':
    case 'before':
    case 'older_than':
      return sql`${column} < ${json}`
    default:
      return sql`${column} > ${json}`
  }
}

function hasAny(column: RawBuilder<unknown>, json: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from jsonb_array_elements(${json}) as wanted (id) where ${column} @> wanted.id)`
}

/** These values as an index of a custom field has them. */
export function textsOf(value: Condition['value']): string[] {
  return [value ?? []].flat().flatMap(sameValues).map(String)
}

/** Conditions on custom fields that an index of the field finds. */
export interface IndexedConditions {
  /** With one value, as the index has it, with its tickets in the order of the last change. */
  exact: ReadonlyMap<Condition, string>
  /** Those that so few tickets fit that all of these are looked up, and sorted. */
  rare: ReadonlySet<Condition>
}

/** Undefined if no index is to find it. */
export function indexedCustom(condition: Condition, name: string, indexed?: IndexedConditions): Compiled | undefined {
  const { field, op, value } = condition
  const exact = indexed?.exact.get(condition)
  if (exact !== undefined) {
    return {
      kind: [field, 'exact'],
      values: { [`${name}_exact`]: exact },
      fits: (_on, p) => sql`tickets.field_values ->> ${sql.lit(field)} = ${p[`${name}_exact`]}::text`
    }
  }
  if (!indexed?.rare.has(condition)) return undefined
  return {
    kind: [field, op, 'rare'],
    values: { [name]: textsOf(value) },
    fits: (_on, p) =>
      // An array, so that these are looked up and sorted: few, whatever the planner believes.
      sql`tickets.id = any(array(
        select id from tickets as rare where rare.field_values ->> ${sql.lit(field)} = any(${p[name]}::text[])))`
  }
}
