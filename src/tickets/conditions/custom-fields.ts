import type { Db } from '../../core/db.ts'
import type { FieldKind as CustomKind } from '../../core/tables/fields.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { allFields, type Field, keepFields } from '../fields/fields.ts'
import { valueFault } from './condition-faults.ts'
import { customIdOf } from './fields.ts'
import { type FieldKind, operators, takes } from './operators.ts'
import type { Condition, Conditions } from './schemas.ts'

const kinds: Record<CustomKind, FieldKind> = {
  text: 'text',
  long_text: 'text',
  number: 'number',
  date: 'time',
  checkbox: 'checkbox',
  select: 'id',
  multi_select: 'tags'
}

/**
 * Refuses conditions that name a custom field that does not exist, or give it an operator or a value that its kind does not have; archived fields and
 * options go on. `areListed`: lists are filtered by filterable fields alone. The fields are kept from being deleted until the transaction ends.
 * Throws `InvalidFields`.
 */
export async function requireCustomFields(
  db: Db,
  conditions: Conditions,
  { at = 'conditions', areListed = false } = {}
): Promise<void> {
  const named = conditions.all.flatMap(({ any }, group) =>
    any.flatMap((condition, place) => {
      const id = customIdOf(condition.field)
      return id === undefined ? [] : [{ id, condition, where: `${at}.all.${group}.any.${place}` }]
    })
  )
  if (named.length === 0) return
  const kept = await keepFields(
    db,
    named.map(({ id }) => id)
  )
  const fields = new Map((await allFields(db)).map(field => [field.id, field]))
  const faults = new Map<string, string>()
  for (const { id, condition, where } of named) {
    const field = kept.has(id) ? fields.get(id) : undefined
    const found = field ? faultOf(field, condition, areListed) : { part: 'field', fault: 'is no field' }
    if (found) faults.set(`${where}.${found.part}`, found.fault)
  }
  if (faults.size === 0) return
  throw InvalidFields({
    message: [...faults].map(([where, fault]) => `${where} ${fault}`).join('; '),
    errors: [...faults.keys()]
  })
}

function faultOf(
  field: Field,
  { field: name, op, value }: Condition,
  isListed: boolean
): { part: string; fault: string } | undefined {
  const kind = kinds[field.kind]
  if (isListed && !field.is_filterable) return { part: 'field', fault: `: lists cannot be filtered by ${field.key}` }
  if (field.kind === 'long_text' && name.startsWith('event.')) {
    return { part: 'field', fault: `: events do not tell what ${field.key} says` }
  }
  if (takes(kind, op) === undefined) {
    return { part: 'op', fault: `must be one of: ${Object.keys(operators[kind]).join(', ')}` }
  }
  const fault = valueFault({ kind, label: field.label }, op, value)
  if (fault) return { part: 'value', fault }
  const isChoice = field.kind === 'select' || field.kind === 'multi_select'
  const unknown = isChoice && [value ?? []].flat().some(id => !field.options.some(option => option.id === id))
  return unknown ? { part: 'value', fault: `names no option of ${field.key}` } : undefined
}
