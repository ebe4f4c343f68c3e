import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TObject, TSchema } from 'typebox'
import { isDateOrTime, isInstant } from '../lib/time.ts'
import { parsedJson } from './body/json.ts'
import type { InputValue, RequestInput } from './body/request-input.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { InvalidFields, MissingFields, NotFound, UnknownFields } from './errors.ts'
import { type FieldSchema, sentence } from './input-faults.ts'

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

/**
 * Tells what is wrong with a value within a list or object that has a check of its own (`x-check`), and where in it; undefined if nothing.
 */
export function faultFinder(schema: TSchema): (value: unknown) => { at: string; fault: string } | undefined {
  const fits = ajv.compile(schema)
  return value => {
    const [error] = fits(value) ? [] : (fits.errors ?? [])
    if (!error) return undefined
    const at = error.instancePath.replaceAll('/', '.')
    if (error.keyword === 'required') return { at: `${at}.${error.params.missingProperty}`, fault: 'is missing' }
    if (error.keyword === 'additionalProperties') {
      const unknown = String(error.params.additionalProperty).toWellFormed().slice(0, 100)
      return { at: `${at}.${unknown}`, fault: 'is not known here' }
    }
    const told = sentence({ name: '', schema: { enum: error.params.allowedValues } }, { ...error, instancePath: '' })
    return { at, fault: told.trim() }
  }
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
ajv.addKeyword({ keyword: 'x-instant', type: 'string', validate: (_: unknown, text: string) => isInstant(text) })

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
        // An object of any names, or with a check of its own, is taken as it is.
        within:
          field.type === 'object' && field.properties && !field['x-check']
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
  const faults = field.schema['x-check']?.(value) ?? []
  for (const { at, fault } of faults) invalid.set(`${name}${at}`, `${name}${at} ${fault}`)
  if (faults.length > 0) return
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
  const isKeyed = (name: string) => fields.some(field => field.schema['x-keyed'] && memberNamed(field.name, name))
  const within = fields.flatMap(field => {
    const value = field.within && foundValue(field, sent).value
    return isObject(value) ? unknownIn(field.within!.fields, fieldsIn(value)).map(name => `${field.name}.${name}`) : []
  })
  return [...[...sent.keys()].filter(name => !known.has(name) && !isKeyed(name)), ...within]
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
  if (field.schema['x-keyed']) found.push(...membersOf(field.name, sent))
  const [first, ...others] = found.filter(each => each.value !== undefined)
  if (!first) return {}
  const other = others.find(each => each.value !== first.value)
  if (other) return { fault: `${first.name} and ${other.name} mean the same, but differ` }
  const unfit = unfitText(first.value)
  return unfit ? { fault: `${first.name} ${unfit}` } : { value: first.value }
}

/** The object whose members a form has sent one by one, if it has. */
function membersOf(name: string, sent: RequestInput['fields']): { name: string; value: unknown }[] {
  const members = [...sent].flatMap(([each, given]): [string, unknown][] => {
    const member = memberNamed(name, each)
    if (!member) return []
    const values = given.map(({ value }) => value)
    return [[member.key, member.isList || values.length > 1 ? values.filter(value => value !== '') : values[0]]]
  })
  // It makes even `__proto__` a member like any other.
  return members.length > 0 ? [{ name: `${name}[…]`, value: Object.fromEntries(members) }] : []
}

function memberNamed(name: string, sent: string): { key: string; isList: boolean } | undefined {
  if (!sent.startsWith(`${name}[`)) return undefined
  const [, key, list] = /^\[([^[\]]{1,100})\](\[\])?$/.exec(sent.slice(name.length)) ?? []
  return key === undefined ? undefined : { key, isList: list !== undefined }
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
export function unfitText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(unfitText).find(Boolean)
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not contain NUL characters'
  if (!value.isWellFormed()) return 'is not valid Unicode text'
  return undefined
}
