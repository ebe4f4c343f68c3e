import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TObject, TSchema } from 'typebox'
import type { Given, Sent } from './body/sent.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { InvalidFields, MalformedBody, MissingFields, NotFound } from './errors.ts'
import type { FieldHints } from './fields.ts'

interface Field {
  name: string
  schema: TSchema &
    FieldHints & { type?: string; minimum?: number; maximum?: number; maxLength?: number; enum?: unknown[] }
  /** The name itself and its synonyms. */
  names: string[]
  isRequired: boolean
  isList: boolean
  isNumber: boolean
  fits: ValidateFunction
}

/** How the body of one endpoint is read. */
export interface InputPlan {
  fields: Field[]
}

// One field at a time, first fault only: `allErrors` would invite work by hostile bodies.
const ajv = new Ajv2020({ strict: false, validateFormats: true })
addFormats.default(ajv, ['email'])

export function inputPlan(endpoint: Pick<AnyEndpoint, 'body' | 'synonyms'>): InputPlan {
  const body: TObject | undefined = endpoint.body
  if (!body) return { fields: [] }
  const required = new Set(body.required ?? [])
  return {
    fields: Object.entries(body.properties).map(([name, schema]) => {
      const field = schema as Field['schema']
      const synonyms = Object.entries(endpoint.synonyms ?? {}).filter(([, meant]) => meant === name)
      const isList = field.type === 'array'
      const names = [name, ...synonyms.map(([synonym]) => synonym)]
      return {
        name,
        schema: field,
        names: isList ? [...names, `${name}[]`] : names,
        isRequired: required.has(name),
        isList,
        isNumber: field.type === 'integer',
        fits: ajv.compile(field)
      }
    })
  }
}

/**
 * The body that the endpoint declared, from what was sent. Refuses in the order of decision 5: all missing names at
 * once, then what is invalid, one sentence a field. Unknown names are ignored.
 */
export function readInput(plan: InputPlan, sent: Sent['fields'], pathId: string | undefined): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  const missing: string[] = []
  const invalid = new Map<string, string>()

  for (const field of plan.fields) {
    if (field.name === 'id' && pathId !== undefined) {
      body.id = idInPath(field, pathId)
      continue
    }
    const { value, fault } = foundValue(field, sent)
    if (fault) invalid.set(field.name, fault)
    else if (value === undefined && field.isRequired) missing.push(field.name)
    else if (value !== undefined) {
      if (field.fits(value)) body[field.name] = value
      else invalid.set(field.name, sentence(field, field.fits.errors?.[0]))
    }
  }

  if (missing.length > 0) {
    throw MissingFields({ message: `Missing required fields: ${missing.join(', ')}`, errors: missing })
  }
  if (invalid.size > 0) {
    throw InvalidFields({ message: [...invalid.values()].join('; '), errors: [...invalid.keys()] })
  }
  return body
}

/** Whether a name was sent with anything but null. */
export function wasSent(sent: Sent['fields'], name: string): boolean {
  return [name, `${name}[]`].some(each => sent.get(each)?.some(given => given.value !== null))
}

function idInPath(field: Field, text: string): unknown {
  const value = /^\d+$/.test(text) ? Number(text) : text
  if (!field.fits(value)) throw NotFound()
  return value
}

type Found = { value?: unknown; fault?: string }

function foundValue(field: Field, sent: Sent['fields']): Found {
  const found: { name: string; value: unknown }[] = []
  for (const name of field.names) {
    const given = (sent.get(name) ?? []).filter(each => each.value !== null)
    if (given.length === 0) continue
    if (given.length > 1 && !field.isList) return { fault: `${name} was sent more than once` }
    found.push({ name, value: field.isList ? listOf(given) : converted(field, given[0]!) })
  }
  const [first, ...others] = found.filter(each => each.value !== undefined)
  if (!first) return {}
  const other = others.find(each => each.value !== first.value)
  if (other) return { fault: `${first.name} and ${other.name} mean the same, but differ` }
  const unfit = unfitText(first.value)
  return unfit ? { fault: `${first.name} ${unfit}` } : { value: first.value }
}

function converted(field: Field, { value, isText }: Given): unknown {
  if (typeof value !== 'string') return value
  if (field.schema['x-trim']) value = (value as string).trim()
  if (value === '') return undefined
  if (field.schema['x-filled'] && (value as string).trim() === '') return undefined
  const mayBeNumber = field.schema['x-id'] || (isText && field.isNumber)
  return mayBeNumber && /^-?\d{1,16}$/.test((value as string).trim()) ? Number(value) : value
}

/** Repeated names, one JSON text, or one JSON list. An empty text is the empty list. */
function listOf(given: Given[]): unknown {
  const [only] = given
  if (given.length === 1 && !only!.isText) return only!.value
  if (given.length === 1 && typeof only!.value === 'string' && only!.value.trim().startsWith('[')) {
    try {
      return JSON.parse(only!.value)
    } catch {
      throw MalformedBody({ message: 'A list is not valid JSON' })
    }
  }
  return given.map(each => each.value).filter(value => value !== '')
}

/** What no text may contain, because neither the database nor a reader can hold it. */
function unfitText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(unfitText).find(Boolean)
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not contain NUL characters'
  if (!value.isWellFormed()) return 'is not valid Unicode text'
  return undefined
}

const types: Record<string, string> = { string: 'text', integer: 'a whole number', array: 'a list' }

function sentence({ name, schema }: Field, error: ErrorObject | undefined): string {
  const hint = schema['x-invalid']
  if (error?.keyword !== 'type' && error?.keyword !== 'maxLength' && hint) return hint
  switch (error?.keyword) {
    case 'type':
      return error.instancePath
        ? `${name} must be a list of texts`
        : `${name} must be ${types[String(error.params.type)] ?? `of type ${error.params.type}`}`
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
