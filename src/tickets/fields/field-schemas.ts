import { type Static, Type } from 'typebox'
import { fieldAccesses, fieldKinds, fieldRequirements } from '../../core/tables/fields.ts'
import { BooleanInput, Flag, Id, Name, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import type { Field } from './fields.ts'
import type { GivenValues } from './judge-values.ts'

export const maxOptions = 200
export const maxFields = 100

export const FieldKey = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z][a-z0-9_]*$',
  examples: ['serial_number'],
  'x-trim': true,
  'x-invalid': 'A key has small letters, digits and _, and begins with a letter'
})

export const FieldKinds = OneOf(fieldKinds)

/** The fields of a definition that an admin may change. */
export const definitionFields = {
  label: Name(100, 'Serial number'),
  options: Type.Array(
    Type.Object(
      { id: Type.Optional(Id(1)), label: Name(100, 'Gold'), is_archived: Type.Optional(BooleanInput(0)) },
      { additionalProperties: false }
    ),
    {
      maxItems: maxOptions,
      examples: [[]],
      description: 'Of a select: those with an id stay, those without are new, and those left out are archived.'
    }
  ),
  client_access: { ...OneOf(fieldAccesses), description: 'Whether clients know of it, and may set it.' },
  is_filterable: { ...BooleanInput(0), description: 'Whether lists can be filtered by it.' },
  required_on: { ...OneOf(fieldRequirements, 'never'), description: 'Whether it is required, and when.' },
  hint: Type.String({ maxLength: 500, examples: ['It is on the back'], 'x-trim': true }),
  position: Type.Integer({ minimum: 1, maximum: 10_000, examples: [3] })
}

export const OptionView = Type.Object({ id: Id(1), label: OutputText('Gold'), is_archived: Flag(0) })

export const FieldView = Type.Object({
  id: Id(12),
  key: OutputText('serial_number'),
  label: OutputText('Serial number'),
  kind: FieldKinds,
  options: Type.Array(OptionView),
  client_access: OneOf(fieldAccesses),
  is_filterable: Flag(),
  is_filter_ready: { ...Flag(), description: '0 while lists by it are being prepared.' },
  required_on: OneOf(fieldRequirements, 'never'),
  hint: OutputText('It is on the back'),
  position: Type.Integer({ examples: [3] }),
  is_archived: Flag(0),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export const fieldData = Type.Object({ field: FieldView })

export function fieldView(field: Field): Static<typeof FieldView> {
  return {
    ...field,
    options: field.options.map(option => ({ ...option, is_archived: bit(option.is_archived) })),
    is_filterable: bit(field.is_filterable),
    is_filter_ready: bit(field.is_filter_ready),
    is_archived: bit(field.is_archived),
    created_at: timestamp(field.created_at),
    updated_at: timestamp(field.updated_at)
  }
}

const valueSchema = {
  type: ['string', 'number', 'boolean', 'array', 'null'],
  items: { type: ['integer', 'string'] }
}

/** Values by key, as they are sent. In a form: `fields[key]`, several as `fields[key][]`. */
export const GivenFields = Type.Unsafe<GivenValues>({
  type: 'object',
  additionalProperties: valueSchema,
  maxProperties: maxFields,
  examples: [{}],
  'x-keyed': true,
  'x-check': faultsOfGiven,
  description:
    'Values of custom fields by key: `{ "serial_number": "SN-1", "contract": 2, "bought_on": "2026-03-01" }`, of selects the id of an option, several as a list; null clears. In a form `fields[key]`, several as `fields[key][]`.'
})

/** Values by key, as they are shown. */
export const FieldValuesView = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  // The list first: the serializer would make it a text.
  additionalProperties: { type: ['array', 'string', 'number', 'boolean'], items: { type: 'integer' } },
  examples: [{ serial_number: 'SN-1', contract: 2, modules: [1, 3] }]
})

/** What no field of any kind can hold: named here, so that the refusal tells which it is. */
function faultsOfGiven(given: unknown): { at: string; fault: string }[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [{ at: '', fault: 'must be an object' }]
  const values = Object.entries(given)
  if (values.length > maxFields) return [{ at: '', fault: `must have at most ${maxFields} members` }]
  return values.flatMap(([key, value]) => {
    const isFit = [value].flat(1).every(each => each === null || ['string', 'number', 'boolean'].includes(typeof each))
    return isFit ? [] : [{ at: `.${key.toWellFormed().slice(0, 100)}`, fault: 'is no value of a field' }]
  })
}
