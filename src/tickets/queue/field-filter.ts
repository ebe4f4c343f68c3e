import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Db, preparedByKind } from '../../core/db.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { maxConditions } from '../conditions/condition-faults.ts'
import { requireCustomFields } from '../conditions/custom-fields.ts'
import { textsOf } from '../conditions/custom-to-sql.ts'
import { customIdOf } from '../conditions/fields.ts'
import { dayOf } from '../conditions/moments.ts'
import type { Condition, Conditions } from '../conditions/schemas.ts'
import { maxFields } from '../fields/field-schemas.ts'
import { allFields, type Field, slotOf } from '../fields/fields.ts'
import { judgeValues } from '../fields/judge-values.ts'
import type { QueueSelection } from './queue-query.ts'

export const FilterNotReady = failure(
  409,
  'filter_not_ready',
  'Lists by this field are being prepared: try again in a few minutes'
)

const mostListed = 100
const longestText = 255
const range = { type: ['number', 'string'] }

/** Tickets by their custom fields. */
export const FieldFilters = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  maxProperties: maxFields,
  additionalProperties: {
    type: ['array', 'string', 'integer', 'boolean', 'object'],
    maxItems: mostListed,
    items: { type: 'integer' },
    maxLength: longestText,
    properties: { from: range, to: range },
    additionalProperties: false
  },
  examples: [{}],
  'x-check': faultsOfFilters,
  description:
    'By the keys of filterable fields: of selects a list of options, a text, of numbers and days `{ "from", "to" }` (both inclusive), `0` or `1`.'
})

/** What is a filter of no kind of field: named here, so that the refusal tells which it is. */
function faultsOfFilters(given: unknown): { at: string; fault: string }[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [{ at: '', fault: 'must be an object' }]
  return Object.entries(given)
    .slice(0, maxFields)
    .flatMap(([key, value]) =>
      isFilter(value) ? [] : [{ at: `.${key.toWellFormed().slice(0, 100)}`, fault: 'is no filter of its kind' }]
    )
}

function isFilter(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= mostListed && value.every(Number.isInteger)
  if (typeof value === 'string') return value.length <= longestText
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' || Number.isInteger(value)
  return Object.entries(value).every(
    ([name, end]) => (name === 'from' || name === 'to') && (typeof end === 'number' || typeof end === 'string')
  )
}

/**
 * The selection with what it says of custom fields, which have to be filterable. Throws `InvalidFields` (`fields.KEY`, `conditions.…`), and
 * `FilterNotReady` while an index is being built.
 */
export async function withFields(
  db: Db,
  { conditions, ...selection }: QueueSelection,
  given: Readonly<Record<string, unknown>> = {}
): Promise<QueueSelection> {
  const isAboutFields = conditions.all.some(({ any }) => any.some(({ field }) => customIdOf(field) !== undefined))
  if (!isAboutFields && Object.keys(given).length === 0) return { ...selection, conditions }

  await requireCustomFields(db, conditions, { areListed: true })
  const fields = await allFields(db)
  const all = [...conditions.all, ...groupsOf(fields, given, 'fields')]
  const named = new Set(all.flatMap(({ any }) => any.map(({ field }) => field)))
  const unready = fields.find(field => named.has(slotOf(field)) && !field.is_filter_ready)
  if (unready)
    throw FilterNotReady({ message: `Lists by ${unready.key} are being prepared: try again in a few minutes` })
  return await withIndexes(db, { ...selection, conditions: { all } }, fields)
}

/** The selection with which of its conditions on custom fields are looked up by the index of the field. */
export async function withIndexes(
  db: Db,
  selection: QueueSelection,
  known?: readonly Field[]
): Promise<QueueSelection> {
  const ofFields = selection.conditions.all.flatMap(({ any: [condition, ...others] }) =>
    others.length === 0 && condition && isOfIndex(condition) ? [condition] : []
  )
  if (ofFields.length === 0) return selection
  const fields = known ?? (await allFields(db))
  const isByLastChange = (selection.sort ?? 'updated') === 'updated' && selection.snoozed !== 1 && !selection.search
  const exact = new Map<Condition, string>()
  const rare = new Set<Condition>()
  for (const condition of ofFields) {
    const field = fields.find(field => slotOf(field) === condition.field)
    const text = field && exactTextOf(field, condition)
    if (text !== undefined) exact.set(condition, text)
    if ((text === undefined || !isByLastChange) && (await isRare(db, condition))) rare.add(condition)
  }
  return {
    ...selection,
    indexed: { page: { exact: isByLastChange ? exact : new Map(), rare }, total: { exact, rare } }
  }
}

function isOfIndex({ field, op }: Condition): boolean {
  return customIdOf(field) !== undefined && (op === 'is' || op === 'in')
}

/** The value as the index has it; undefined if the condition names several. */
function exactTextOf({ kind }: Field, { value }: Condition): string | undefined {
  const [only, ...others] = [value].flat()
  if (others.length > 0 || only === undefined) return undefined
  return kind === 'checkbox' ? String(Boolean(only)) : String(only)
}

/** A query with its filters by custom fields as conditions. Throws `InvalidFields` (`query.fields.KEY`). */
export async function withFieldConditions<Query extends { conditions?: Conditions }>(
  db: Db,
  { fields: given, ...query }: Query & { fields?: Readonly<Record<string, unknown>> }
): Promise<Omit<Query, 'fields'>> {
  if (!given || Object.keys(given).length === 0) return query
  const all = [...(query.conditions?.all ?? []), ...groupsOf(await allFields(db), given, 'query.fields')]
  if (all.flatMap(({ any }) => any).length <= maxConditions) return { ...query, conditions: { all } }
  throw InvalidFields({ message: `A query has at most ${maxConditions} conditions`, errors: ['query.fields'] })
}

function groupsOf(fields: readonly Field[], given: Readonly<Record<string, unknown>>, at: string): Conditions['all'] {
  const faults = new Map<string, string>()
  const groups = Object.entries(given).flatMap(([key, value]) => {
    const field = fields.find(field => field.key === key)
    const found = field?.is_filterable ? groupsFor(field, value) : undefined
    const name = key.toWellFormed().slice(0, 100)
    if (!found) faults.set(name, field?.is_filterable ? 'is no filter of its kind' : 'is no filterable field')
    return found ?? []
  })
  if (faults.size === 0) return groups
  throw InvalidFields({
    message: [...faults].map(([key, fault]) => `${at}.${key} ${fault}`).join('; '),
    errors: [...faults.keys()].map(key => `${at}.${key}`)
  })
}

/** The conditions that a filter stands for; undefined if it is none for this kind of field. */
function groupsFor(field: Field, value: unknown): Conditions['all'] | undefined {
  const name = slotOf(field)
  const one = (op: Condition['op'], value: Condition['value']): Condition => ({ field: name, op, value: value! })
  // Archived ones are looked for too.
  const judged = (value: unknown) => {
    const options = field.options.map(option => ({ ...option, is_archived: false }))
    const { judged } = judgeValues([{ ...field, options, is_archived: false }], { [field.key]: value })
    return judged[0]?.value ?? undefined
  }
  switch (field.kind) {
    case 'select':
    case 'multi_select': {
      const ids = [value].flat()
      if (ids.length === 0 || !ids.every(id => judged(id) !== undefined)) return undefined
      return [{ any: [one(field.kind === 'select' ? 'in' : 'has_any', ids as number[])] }]
    }
    case 'checkbox': {
      const is = judged(value)
      if (is === undefined) return undefined
      // What nobody has set is not checked.
      return [{ any: is ? [one('is', true)] : [one('is', false), { field: name, op: 'not_set' }] }]
    }
    case 'number':
    case 'date': {
      const { from, to } = (typeof value === 'object' && value !== null ? value : {}) as {
        from?: unknown
        to?: unknown
      }
      const [first, last] = [from === undefined ? from : judged(from), to === undefined ? to : judged(to)]
      const isFit = (from ?? to) !== undefined && (from === undefined) === (first === undefined)
      if (!isFit || (to === undefined) !== (last === undefined)) return undefined
      return [...(first === undefined ? [] : [atLeast(first)]), ...(last === undefined ? [] : [atMost(last)])]
    }
    default: {
      const text = judged(value)
      return text === undefined ? undefined : [{ any: [one('is', text)] }]
    }
  }

  function atLeast(value: Condition['value']) {
    return { any: [one('is', value), one(field.kind === 'date' ? 'after' : 'greater', value)] }
  }
  function atMost(value: Condition['value']) {
    if (field.kind === 'number') return { any: [one('is', value), one('less', value)] }
    const end = dayOf(String(value))!.to
    return {
      any: [one('before', end.getUTCFullYear() > 9999 ? '9999-12-31T23:59:59Z' : end.toISOString().slice(0, 10))]
    }
  }
}

/** Up to so many tickets are found by their value, and then sorted; of more, the newest are walked until a page is full. */
const mostRare = 2_000

async function isRare(db: Db, { field, value }: Condition): Promise<boolean> {
  const counted = { values: textsOf(value), most: mostRare + 1 }
  const [found] = await countByKind(db, counted, field, (db, p) => countOf(db, field, p))
  return found!.count <= mostRare
}

interface Counted {
  values: readonly string[]
  most: number
}

const countByKind = preparedByKind<Counted, { count: number }>()

function countOf(db: Db, slot: string, p: Counted) {
  return db
    .selectFrom(
      db
        .selectFrom('tickets')
        .where(sql<boolean>`field_values ->> ${sql.lit(slot)} = any(${p.values}::text[])`)
        .select('id')
        .limit(p.most)
        .as('found')
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
}
