import { type TSchema, type TUnsafe, Type } from 'typebox'

/** Hints (`x-…`) for our parser, beyond JSON Schema. */
export interface FieldHints {
  /** Trims the text; a blank one counts as missing. */
  'x-trim'?: boolean
  /** A blank text counts as missing, otherwise it is kept as sent. */
  'x-filled'?: boolean
  /** A decimal string is accepted as a number, in JSON too. */
  'x-id'?: boolean
  /** A boolean, which may also be sent as `true` or `false`, or as text. */
  'x-flag'?: boolean
  /** An object, which a form may send by the names of its members: `fields[key]`, several values as `fields[key][]`. */
  'x-keyed'?: boolean
  /** A list; a single value counts as a list of one. */
  'x-one'?: boolean
  /** The text must be a valid date or time. */
  'x-moment'?: boolean
  /** The text must be an instant with an offset from UTC, on a date that exists. */
  'x-instant'?: boolean
  /** A timestamp of the contract; responses have an ISO 8601 time beside it. */
  'x-timestamp'?: boolean
  /** The maximum page size; larger values count as this one. */
  'x-most'?: number
  /** Aliases of the fields of an object. */
  'x-synonyms'?: Record<string, string>
  /** Fields that an object without further ones may have all the same; they are left out. */
  'x-ignored'?: readonly string[]
  /** Checks an object as a whole, and tells where in it what is wrong (`.all.0.any`): its fields are not read one by one. */
  'x-check'?: (value: unknown) => { at: string; fault: string }[]
  /** The error message, instead of the derived one. */
  'x-invalid'?: string
}

export const maxId = Number.MAX_SAFE_INTEGER

/** Trimmed text of 1 to `max` characters; blank counts as missing. */
export function Text(max: number, example: string): ReturnType<typeof Type.String> {
  return Type.String({ minLength: 1, maxLength: max, examples: [example], 'x-trim': true })
}

/**
 * The same on one line: with a line break in it, the name of somebody or something would look like two lines of an e-mail, a log or a
 * table.
 */
export function Name(max: number, example: string): ReturnType<typeof Type.String> {
  return Type.String({
    minLength: 1,
    maxLength: max,
    pattern: '^[^\\n\\r\\v\\f\\u0085\\u2028\\u2029]*$',
    examples: [example],
    'x-trim': true,
    'x-invalid': 'Names, titles and addresses must be on one line'
  })
}

/** Long text that is kept as sent; blank counts as missing. */
export function LongText(max: number, example: string): ReturnType<typeof Type.String> {
  return Type.String({ minLength: 1, maxLength: max, examples: [example], 'x-filled': true })
}

/** Text kept as sent: passwords, tokens. Empty counts as missing. */
export function Verbatim(max: number, example: string): ReturnType<typeof Type.String> {
  return Type.String({ minLength: 1, maxLength: max, examples: [example] })
}

export function Email(): ReturnType<typeof Type.String> {
  return Type.String({
    format: 'email',
    minLength: 1,
    maxLength: 255,
    examples: ['ada@example.com'],
    'x-trim': true,
    'x-invalid': 'Invalid e-mail format'
  })
}

/** A language as articles have it: `en`, `pt-BR`. */
export const localePattern = '^[a-z]{2,3}(-[A-Z]{2}|-[A-Z][a-z]{3})?$'
export const Locale = Type.String({
  pattern: localePattern,
  maxLength: 10,
  examples: ['en'],
  'x-trim': true,
  'x-invalid': 'A language is written like en or pt-BR'
})

export function NewPassword(): ReturnType<typeof Type.String> {
  return Type.String({
    minLength: 6,
    maxLength: 255,
    examples: ['correct horse'],
    'x-invalid': 'Password must be at least 6 characters (and at most 255)'
  })
}

/** A whole number from 1 to 2^53-1; in a body it may also come as decimal text. */
export function Id(example = 1): ReturnType<typeof Type.Integer> {
  return Type.Integer({ minimum: 1, maximum: maxId, examples: [example], 'x-id': true })
}

/** A boolean of the contract in a response: 0 or 1. */
export function Flag(example: 0 | 1 = 1): TUnsafe<0 | 1> {
  return Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], examples: [example] })
}

const choiceText = '0 or 1; `false` and `true` are read as these.'

/** A boolean in a request: 0 or 1, or `true` or `false`. */
export function BooleanInput(example: 0 | 1 = 1): TUnsafe<0 | 1> {
  return Type.Unsafe<0 | 1>({ ...Flag(example), 'x-flag': true, description: choiceText })
}

export function OneOf<const T extends string>(values: readonly T[], example = values[0]!): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], examples: [example] })
}

/**
 * The page size of a list: `fallback` by default; a larger value than `max` counts as `max`. The description states the default in
 * words, because openapi-typescript makes a field with a `default` a required one.
 */
export function PageLimit({ fallback, max }: { fallback: number; max: number }): ReturnType<typeof Type.Integer> {
  const description = `The default is ${inDigits(fallback)}; larger values than ${inDigits(max)} count as ${inDigits(max)}.`
  return Type.Integer({ minimum: 1, maximum: maxId, description, examples: [fallback], 'x-most': max })
}

const digits = new Intl.NumberFormat('en')

function inDigits(number: number): string {
  return digits.format(number)
}

/** The number of a page, or the size of one in a response, from 1. */
export function PageNumber(example: number): ReturnType<typeof Type.Integer> {
  return Type.Integer({ minimum: 1, maximum: maxId, examples: [example] })
}

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export function Timestamp(): ReturnType<typeof Type.String> {
  return Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    examples: ['2026-11-20 08:28:31'],
    'x-timestamp': true
  })
}

/** An ISO 8601 time, UTC. The kit adds one beside each `Timestamp`; a schema declares it only beside a time that has another format. */
export function IsoTime(): ReturnType<typeof Type.String> {
  return Type.String({ format: 'date-time', examples: ['2026-11-20T08:28:31Z'] })
}

/** A day or a moment in a filter, UTC: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, or ISO 8601. A date that does not exist is refused. */
export function DateOrTime(example: string): ReturnType<typeof Type.String> {
  return Type.String({
    pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([ T]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z?)?$',
    maxLength: 30,
    examples: [example],
    'x-trim': true,
    'x-moment': true,
    'x-invalid': 'Times are written YYYY-MM-DD or YYYY-MM-DD HH:MM:SS (UTC)'
  })
}

/** An instant in ISO 8601, with its offset from UTC: `2026-03-10T09:00:00Z`, `2026-03-10T10:00+01:00`. `instantOf` reads it. */
export function Instant(example: string): ReturnType<typeof Type.String> {
  return Type.String({
    pattern:
      '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
    maxLength: 40,
    examples: [example],
    'x-trim': true,
    'x-instant': true,
    'x-invalid': 'Times are written in ISO 8601 with their offset: 2026-03-10T09:00:00Z'
  })
}

/** Text in a response, without a length limit. */
export function OutputText(example: string): ReturnType<typeof Type.String> {
  return Type.String({ examples: [example] })
}

export function Nullable<T extends TSchema>(schema: T): TUnsafe<Type.Static<T> | null> {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: readonly unknown[] }
  const choice = values && { enum: [...values, null] }
  return Type.Unsafe<Type.Static<T> | null>({ ...rest, ...choice, type: [type, 'null'] })
}
