// Filters by custom fields. In an address they are `f12=in:1,2`; in a query they are conditions, which saved views keep.

interface Condition {
  field: string
  op: string
  value?: unknown
}

/** A query, as far as its conditions. */
interface Conditioned {
  conditions?: { all: { any: Condition[] }[] } | undefined
}

export type FieldName = `f${number}`

/** The names of custom fields among search parameters. */
export function fieldNames(search: object): FieldName[] {
  return Object.entries(search).flatMap(([name, value]) =>
    /^f[1-9]\d{0,14}$/.test(name) && typeof value === 'string' && value !== '' ? [name as FieldName] : []
  )
}

/** The parameter that stands for these options of a select, or of one that takes several. */
export function optionsParameter(isMany: boolean, ids: readonly string[]): string {
  return `${isMany ? 'has_any' : 'in'}:${ids.join(',')}`
}

/** The parameter that stands for one value: a text or a day, a number, yes or no. */
export function valueParameter(value: string | number | boolean): string {
  if (typeof value === 'string') return `is:${value}`
  return typeof value === 'number' ? `number:${value}` : `checked:${value ? 1 : 0}`
}

/** The query with this filter in place of another one by the same field; `any` removes that alone. */
export function withFieldFilter<Query extends Conditioned>(query: Query, field: FieldName, parameter: string): Query {
  const others = (query.conditions?.all ?? []).filter(group => !isAbout(group, field))
  const any = parameter === 'any' ? [] : conditionsOf(field, parameter)
  const all = any.length > 0 ? [...others, { any }] : others
  const { conditions: _, ...rest } = query
  return (all.length > 0 ? { ...rest, conditions: { all } } : rest) as Query
}

/** The values by which a query filters a field; undefined if it does not, or otherwise than chips do. */
export function filterOf({ conditions }: Conditioned, field: FieldName): readonly unknown[] | undefined {
  const [condition] = conditions?.all.find(group => isAbout(group, field))?.any ?? []
  if (!condition || !['in', 'has_any', 'is'].includes(condition.op)) return undefined
  return Array.isArray(condition.value) ? condition.value : [condition.value]
}

/** Whether a query filters by any custom field. */
export function namesFields({ conditions }: Conditioned): boolean {
  return conditions?.all.some(({ any }) => any.some(({ field }) => /^f\d+$/.test(field))) ?? false
}

function isAbout({ any }: { any: readonly Condition[] }, field: FieldName): boolean {
  return any.every(condition => condition.field === field)
}

function conditionsOf(field: FieldName, parameter: string): Condition[] {
  const [, op = '', given = ''] = /^(in|has_any|is|number|checked):(.+)$/.exec(parameter) ?? []
  switch (op) {
    case 'in':
    case 'has_any':
      return /^\d+(,\d+)*$/.test(given) ? [{ field, op, value: given.split(',').map(Number) }] : []
    case 'is':
      return [{ field, op: 'is', value: given }]
    case 'number':
      return Number.isFinite(Number(given)) ? [{ field, op: 'is', value: Number(given) }] : []
    case 'checked':
      // What nobody has set is not checked.
      return given === '1'
        ? [{ field, op: 'is', value: true }]
        : [
            { field, op: 'is', value: false },
            { field, op: 'not_set' }
          ]
    default:
      return []
  }
}
