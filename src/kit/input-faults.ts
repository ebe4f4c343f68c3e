import type { ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import type { FieldHints } from './schemas.ts'

export interface FieldSchema extends TSchema, FieldHints {
  type?: string | string[]
  items?: FieldSchema
  enum?: unknown[]
  properties?: Record<string, FieldSchema>
  additionalProperties?: unknown
}

/** A field that is invalid. */
interface Faulty {
  name: string
  schema: FieldSchema
}

const types: Record<string, [one: string, many: string]> = {
  string: ['text', 'texts'],
  integer: ['a whole number', 'whole numbers'],
  array: ['a list', 'lists'],
  object: ['an object', 'objects'],
  null: ['null', 'nulls']
}

function typesOf(error: ErrorObject, many: boolean): string {
  return [error.params.type]
    .flat()
    .map(type => types[type]?.[many ? 1 : 0] ?? `of type ${type}`)
    .join(' or ')
}

/** What is wrong with a field, for people. */
export function sentence({ name, schema }: Faulty, error: ErrorObject | undefined): string {
  if (error?.instancePath && schema.items?.properties) return sentenceWithin({ name, schema }, error)
  const hint = schema['x-invalid']
  if (error?.keyword !== 'type' && error?.keyword !== 'maxLength' && hint) return hint
  switch (error?.keyword) {
    case 'type':
      return `${name} must be ${error.instancePath ? 'a list of ' : ''}${typesOf(error, Boolean(error.instancePath))}`
    case 'maxLength':
      return `${name} must be at most ${error.params.limit} characters long`
    case 'minLength':
      return `${name} must be at least ${error.params.limit} characters long`
    case 'minimum':
      return `${name} must be ${error.params.limit} or more`
    case 'maximum':
      return `${name} must be ${error.params.limit} or less`
    case 'maxItems':
      return `${name} must have at most ${error.params.limit} entries`
    case 'enum':
      return error.instancePath
        ? `${name} has an entry that is not known`
        : `${name} must be one of: ${(schema.enum ?? []).join(', ')}`
    default:
      return `${name} is not valid`
  }
}

/** The same in an object of a list, with its place: `targets.0.minutes must be 1 or more`. */
function sentenceWithin(field: Faulty, error: ErrorObject): string {
  const place = `${field.name}${error.instancePath.replaceAll('/', '.')}`
  if (error.keyword === 'required') return `${place}.${error.params.missingProperty} is missing`
  if (error.keyword === 'additionalProperties') {
    return `${place} has no field ${String(error.params.additionalProperty).toWellFormed().slice(0, 100)}`
  }
  return sentence({ name: place, schema: { enum: error.params.allowedValues } }, { ...error, instancePath: '' })
}
