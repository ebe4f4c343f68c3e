import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TObject, TSchema } from 'typebox'
import { isDateOrTime } from '../lib/time.ts'
import { parsedJson } from './body/json.ts'
import type { InputValue, RequestInput } from './body/request-input.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { InvalidFields, MissingFields, NotFound, UnknownFields } from './errors.ts'
import type { FieldHints } from './schemas.ts'

interface FieldSchema extends TSchema, FieldHints {
  type?: string | string[]
  items?: FieldSchema
  enum?: unknown[]
  properties?: Record<string, FieldSchema>
  additionalProperties?: unknown
}

interface Field {
  name: string
  schema: FieldSchema
  /** The name itself and its synonyms. */
  names: string[]
  isRequired: boolean
  isList: boolean
  isNullable: boolean
  /** How the fields of a nested object are read, like those of the body. */
  within: InputPlan | undefined
  fits: ValidateFunction
}

/** How the body of one endpoint is read. */
export interface InputPlan {
  fields: Field[]
}

// One field at a time, first error only: with `allErrors`, hostile bodies could cause much work. The linter of the OpenAPI document
// validates our schemas.
const ajv = new Ajv2020({ strict: false, validateFormats: true, validateSchema: false })
addFormats.default(ajv, ['email'])
ajv.addKeyword({ keyword: 'x-moment', type: 'string', validate: (_: unknown, text: string) => isDateOrTime(text) })

export function inputPlan(endpoint: Pick<AnyEndpoint, 'body' | 'synonyms'>): InputPlan {
  const body: TObject | undefined = endpoint.body
  return body ? planOf(body, endpoint.synonyms) : { fields: [] }
}

function planOf(body: TObject, givenSynonyms: Record<string, string> = {}): InputPlan {
  const required = new Set(body.required ?? [])
  return {
    fields: Object.entries(body.properties).map(([name, schema]) => {
      const field = schema as Field['schema']
      const synonyms = Object.entries(givenSynonyms).filter(([, meant]) => meant === name)
      const isList = field.type === 'array'
      const names = [name, ...synonyms.map(([synonym]) => synonym)]
      return {
        name,
        schema: field,
        names: isList ? [...names, `${name}[]`] : names,
        isRequired: required.has(name),
        isList,
        isNullable: Array.isArray(field.type) && field.type.includes('null'),
        // An object of any names is taken as it is.
        within:
          field.type === 'object' && field.properties
            ? planOf(field as unknown as TObject, field['x-synonyms'])
            : undefined,
        fits: ajv.compile(field)
      }
    })
  }
}

/**
 * Validates what was sent against the schema of the endpoint. Reports (decision 5) all missing fields
 * first, then all invalid ones with one sentence each. Unknown fields are ignored, unless the schema of a nested object excludes them.
 */
export function readInput(
  plan: InputPlan,
  sent: RequestInput['fields'],
  pathId: string | undefined
): Record<string, unknown> {
  const { body, missing, invalid } = readFields(plan, sent, pathId)
  if (missing.length > 0) {
    throw MissingFields({ message: `Missing required fields: ${missing.join(', ')}`, errors: missing })
  }
  if (invalid.size > 0) {
    throw InvalidFields({ message: [...invalid.values()].join('; '), errors: [...invalid.keys()] })
  }
  return body
}

interface ReadFields {
  body: Record<string, unknown>
  missing: string[]
  /** The error message of each invalid field, by its name. */
  invalid: Map<string, string>
}

function readFields(plan: InputPlan, sent: RequestInput['fields'], pathId?: string): ReadFields {
  const read: ReadFields = { body: {}, missing: [], invalid: new Map() }
  for (const field of plan.fields) {
    if (field.name === 'id' && pathId !== undefined) {
      read.body.id = idInPath(field, pathId)
      continue
    }
    const { value, fault } = foundValue(field, sent)
    if (fault) read.invalid.set(field.name, fault)
    else if (value === undefined && field.isRequired) read.missing.push(field.name)
    else if (value !== undefined) addValue(read, field, value)
  }
  return read
}

function addValue({ body, missing, invalid }: ReadFields, field: Field, value: unknown): void {
  const { name, within } = field
  if (!field.fits(value) && !(within && isObject(value))) {
    invalid.set(name, sentence(field, field.fits.errors?.[0]))
    return
  }
  if (!within) {
    body[name] = value
    return
  }
  const sent = fieldsIn(value as object)
  if (field.schema.additionalProperties === false) {
    const ignored = field.schema['x-ignored'] ?? []
    for (const each of unknownIn(within.fields, sent).filter(each => !ignored.includes(each)))
      invalid.set(`${name}.${each}`, `${name} has no field ${each}`)
  }
  const inside = readFields(within, sent)
  for (const each of inside.missing) missing.push(`${name}.${each}`)
  for (const [each, fault] of inside.invalid) invalid.set(`${name}.${each}`, `${name}: ${fault}`)
  body[name] = inside.body
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object within the body, as they came in JSON. */
function fieldsIn(value: object): RequestInput['fields'] {
  return new Map(Object.entries(value).map(([name, each]) => [name, [{ value: each, isText: false }]]))
}

const maxUnknownTold = 20

/** Rejects unknown fields by name, for callers that prefer an error to an ignored typo (`handling=strict`). */
export function refuseUnknown({ fields }: InputPlan, sent: Pick<RequestInput, 'fields' | 'unread'>): void {
  const unknown = [...new Set([...unknownIn(fields, sent.fields), ...sent.unread])]
  if (unknown.length === 0) return
  const errors = unknown.slice(0, maxUnknownTold).map(name => name.toWellFormed().slice(0, 100))
  throw UnknownFields({ message: `Unknown fields: ${errors.join(', ')}`, errors })
}

/** The names of unknown fields, including those of nested objects. */
function unknownIn(fields: readonly Field[], sent: RequestInput['fields']): string[] {
  const known = new Set(fields.flatMap(({ names }) => names))
  const within = fields.flatMap(field => {
    const value = field.within && foundValue(field, sent).value
    return isObject(value) ? unknownIn(field.within!.fields, fieldsIn(value)).map(name => `${field.name}.${name}`) : []
  })
  return [...[...sent.keys()].filter(name => !known.has(name)), ...within]
}

/** Whether a name was sent with anything but null. */
export function wasSent(sent: RequestInput['fields'], name: string): boolean {
  return [name, `${name}[]`].some(each => sent.get(each)?.some(given => given.value !== null))
}

function idInPath(field: Field, text: string): unknown {
  const value = /^\d+$/.test(text) ? Number(text) : text
  if (!field.fits(value)) throw NotFound()
  return value
}

type Found = { value?: unknown; fault?: string }

function foundValue(field: Field, sent: RequestInput['fields']): Found {
  const found: { name: string; value: unknown }[] = []
  for (const name of field.names) {
    const sentHere = sent.get(name) ?? []
    if (field.isNullable && sentHere.length === 1 && isNull(sentHere[0]!)) found.push({ name, value: null })
    const given = sentHere.filter(each => each.value !== null)
    if (given.length === 0 || found.at(-1)?.name === name) continue
    if (given.length > 1 && !field.isList) return { fault: `${name} was sent more than once` }
    found.push({ name, value: field.isList ? listFor(field.schema, given) : converted(field.schema, given[0]!) })
  }
  const [first, ...others] = found.filter(each => each.value !== undefined)
  if (!first) return {}
  const other = others.find(each => each.value !== first.value)
  if (other) return { fault: `${first.name} and ${other.name} mean the same, but differ` }
  const unfit = unfitText(first.value)
  return unfit ? { fault: `${first.name} ${unfit}` } : { value: first.value }
}

/** If a field is nullable, an empty text in a form means null. */
function isNull({ value, isText }: InputValue): boolean {
  return value === null || (isText && value === '')
}

function converted(schema: FieldSchema, { value, isText }: InputValue): unknown {
  const flag = schema['x-flag'] && flags.get(value)
  if (typeof flag === 'number') return flag
  if (typeof value !== 'string') return value
  if (schema.type === 'object' && isText && value !== '') return parsedJson(value, 'An object is not valid JSON')
  if (schema['x-trim']) value = (value as string).trim()
  if (value === '') return undefined
  if (schema['x-filled'] && (value as string).trim() === '') return undefined
  const mayBeNumber = schema['x-id'] || (isText && schema.type === 'integer')
  return mayBeNumber && /^-?\d{1,16}$/.test((value as string).trim()) ? Number(value) : value
}

const flags = new Map<unknown, 0 | 1>([
  [true, 1],
  ['true', 1],
  ['1', 1],
  [false, 0],
  ['false', 0],
  ['0', 0]
])

/** A list whose entries are read as a field of their kind would be. */
function listFor({ items, 'x-one': mayBeOne }: FieldSchema, given: InputValue[]): unknown {
  const list = listOf(given)
  const entries = mayBeOne && !Array.isArray(list) ? [list] : list
  if (!Array.isArray(entries) || !items) return entries
  const { isText } = given[0]!
  return entries.map(value => converted(items, { value, isText }) ?? value)
}

/** Repeated names, one JSON text, or one JSON list. An empty text is the empty list. */
function listOf(given: InputValue[]): unknown {
  const [only] = given
  if (given.length === 1 && !only!.isText) return only!.value
  if (given.length === 1 && typeof only!.value === 'string' && only!.value.trim().startsWith('[')) {
    return parsedJson(only!.value, 'A list is not valid JSON')
  }
  return given.map(each => each.value).filter(value => value !== '')
}

/** Characters that no text may contain, because PostgreSQL cannot store them or JSON readers cannot read them. */
function unfitText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(unfitText).find(Boolean)
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not contain NUL characters'
  if (!value.isWellFormed()) return 'is not valid Unicode text'
  return undefined
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

function sentence({ name, schema }: Field, error: ErrorObject | undefined): string {
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
