import buildSerializer from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { isoTimeOf, isoTimesInto, withIsoTimes } from './iso-times.ts'

type Schema = TSchema & {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  format?: string
  'x-timestamp'?: boolean
}

type Write = (value: unknown) => string

/** The text of a value that is not undefined: what stands before it, an expression, and what stands after it. */
type Text = [before: string, expression: string, after: string]

/** What the expressions of one schema use: `w0`, `w1` … */
type Writers = Write[]

/**
 * Serializes a response: only the fields of its schema, and an ISO 8601 time beside each timestamp. The text is what fast-json-stringify makes of
 * `withIsoTimes`, which writes all that is unusual: unions, maps, numbers, values of another type. For usual objects this takes
 * less time: the quotes of a text are written with the names around it, and the ISO times are no fields of the value.
 */
export function jsonText<T>(schema: TSchema): (value: T) => string {
  return writerFor(schema as Schema) as (value: T) => string
}

function writerFor(schema: Schema): Write {
  if (isPlainObject(schema)) return objectWriter(schema)
  if (isPlainArray(schema)) return arrayWriter(schema)
  return anyWriter(schema)
}

function anyWriter(schema: Schema): Write {
  const write = buildSerializer(withIsoTimes(schema) as Parameters<typeof buildSerializer>[0]) as Write
  const addTimes = isoTimesInto(schema)
  if (!addTimes) return write
  return value => {
    if (value) addTimes(value as Record<string, unknown>)
    return write(value)
  }
}

const annotations =
  /^(type|properties|required|items|description|examples|x-.*|~.*|\$id|title|(min|max)(Items|imum|Length)|enum|pattern|format|uniqueItems)$/

function isPlainSchema(schema: Schema): boolean {
  return Object.keys(schema).every(key => annotations.test(key))
}

/** With a required field, so that commas are known. */
function isPlainObject(schema: Schema): boolean {
  return schema.type === 'object' && isPlainSchema(schema) && (schema.required ?? []).length > 0
}

function isPlainArray(schema: Schema): boolean {
  return schema.type === 'array' && isPlainSchema(schema) && schema.items !== undefined
}

function objectWriter({ properties = {}, required = [] }: Schema): Write {
  const writers: Writers = []
  const [checks, texts]: [string[], string[]] = [[], []]
  const isRequired = (name: string) => required.includes(name)
  const names = Object.keys(properties)
  let constant = '{'
  for (const name of [...names.filter(isRequired), ...names.filter(name => !isRequired(name))]) {
    const key = JSON.stringify(name)
    const [before, expression, after] = textOf(name, properties[name]!, `o[${key}]`, writers)
    const head = `${constant === '{' ? '{' : `${constant},`}${key}:`
    if (isRequired(name)) {
      checks.push(`if (o[${key}] === undefined) throw new Error(${JSON.stringify(`${key} is required!`)})`)
      texts.push(JSON.stringify(head + before), expression)
      constant = after
    } else {
      texts.push(JSON.stringify(constant))
      texts.push(
        `(o[${key}] === undefined ? '' : ${JSON.stringify(`,${key}:${before}`)} + ${expression} + ${JSON.stringify(after)})`
      )
      constant = ''
    }
  }
  texts.push(JSON.stringify(`${constant}}`))
  const body = `if (o === null) return '{}'\n${checks.join('\n')}\nreturn ${texts.join(' + ')}`
  return compiled(writers, `o => {\n${body}\n}`)
}

function arrayWriter({ items }: Schema): Write {
  const writers: Writers = []
  const [before, expression, after] = textOf('', items!, 'each', writers)
  const text = `${JSON.stringify(before)} + ${expression} + ${JSON.stringify(after)}`
  return compiled(
    writers,
    `list => {
      if (list === null) return '[]'
      if (!Array.isArray(list)) throw new TypeError('A list was expected')
      let all = '['
      for (let at = 0; at < list.length; at++) {
        const each = list[at]
        all += (at === 0 ? '' : ',') + ${text}
      }
      return all + ']'
    }`
  )
}

/** Formats that fast-json-stringify writes in ways of its own. */
const ownFormats: unknown[] = ['date', 'time', 'unsafe']

function textOf(name: string, schema: Schema, value: string, writers: Writers): Text {
  const use = (write: Write) => `w${writers.push(write) - 1}`
  const types = [schema.type].flat()
  const isNullable = types.length === 2 && types[1] === 'null'
  const byLibrary = (format?: string) => use(libraryWriter(schema.type!, format))
  const isPlain = isPlainSchema(schema) && (types.length === 1 || isNullable)
  const orNull = (expression: string, none = 'null') =>
    isNullable ? `(${value} === null ? ${JSON.stringify(none)} : ${expression})` : expression
  if (isPlain && types[0] === 'string' && !ownFormats.includes(schema.format)) {
    const text = `text(${value}, ${byLibrary(schema.format === 'date-time' ? schema.format : undefined)})`
    if (!schema['x-timestamp']) return isNullable ? ['', orNull(`'"' + ${text} + '"'`), ''] : ['"', text, '"']
    const isoName = JSON.stringify(`${name}_iso`)
    const both = `${text} + ${JSON.stringify(`",${isoName}:"`)} + iso(${value})`
    return isNullable ? ['', orNull(`'"' + ${both} + '"'`, `null,${isoName}:null`), ''] : ['"', both, '"']
  }
  if (isPlain && types[0] === 'integer') return ['', orNull(`integer(${value}, ${byLibrary()})`), '']
  if (isPlain && types[0] === 'boolean') return ['', orNull(`boolean(${value}, ${byLibrary()})`), '']
  const one: Schema = isNullable ? { ...schema, type: types[0]! } : schema
  if (isPlainObject(one) || isPlainArray(one)) return ['', orNull(`${use(writerFor(one))}(${value})`), '']
  return ['', `${use(anyWriter(schema))}(${value})`, '']
}

const libraryWriters = new Map<string, Write>()

/** Writes what is not of its type, or refuses it. */
function libraryWriter(type: string | string[], format: string | undefined): Write {
  const key = JSON.stringify([type, format])
  const known = libraryWriters.get(key)
  if (known) return known
  const write = buildSerializer({ type, ...(format ? { format } : {}) } as Parameters<
    typeof buildSerializer
  >[0]) as Write
  libraryWriters.set(key, write)
  return write
}

const helpers = {
  integer: (value: unknown, byLibrary: Write) => (Number.isInteger(value) ? `${value}` : byLibrary(value)),
  boolean: (value: unknown, byLibrary: Write) =>
    value === true ? 'true' : value === false ? 'false' : byLibrary(value),
  /** What stands between the quotes. */
  text(value: unknown, byLibrary: Write) {
    if (typeof value !== 'string') return byLibrary(value).slice(1, -1)
    return isPlainText(value) ? value : JSON.stringify(value).slice(1, -1)
  },
  iso: (time: string | null) => (time === null ? '' : isoTimeOf(time))
}

const escaped = /[\u0000-\u001f"\\\ud800-\udfff]/
/** Up to here a loop takes less time than the expression. */
const longest = 42

function isPlainText(value: string): boolean {
  if (value.length >= longest) return !escaped.test(value)
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) return false
  }
  return true
}

function compiled(writers: Writers, code: string): Write {
  const names = [...writers.map((_, at) => `w${at}`), ...Object.keys(helpers)]
  return new Function(...names, `return ${code}`)(...writers, ...Object.values(helpers)) as Write
}
