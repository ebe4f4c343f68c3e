import fc from 'fast-check'
import type { Json } from '../../src/kit/plain-schema.ts'
import type { ValueKind } from './known-values.ts'

/** A value of a field, independent of the encoding of the body. */
export type Value =
  | { json: unknown }
  /** A JSON literal, valid or not, that is sent as it is. */
  | { raw: string }
  /** A value from an earlier response, or the substitute if there is none. */
  | { known: ValueKind; at: number; or: unknown }

/** Values for a field: most are valid, or nearly; the others are of other types, strange texts, or no JSON at all. */
export function valueFor(name: string, schema: Json): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 8, arbitrary: fittingValue(name, schema) },
    { weight: 3, arbitrary: boundary(schema).map(asJson) },
    { weight: 2, arbitrary: oddText.map(asJson) },
    { weight: 2, arbitrary: otherType.map(asJson) },
    { weight: 1, arbitrary: rawLiteral.map(raw => ({ raw })) }
  )
}

const asJson = (json: unknown): Value => ({ json })

/** A value that fits the schema, usually a realistic one. */
export function fittingValue(name: string, schema: Json): fc.Arbitrary<Value> {
  const example = Array.isArray(schema.examples) ? schema.examples[0] : 'text'
  const kind = kinds[name]
  const known = kind ? [fc.nat(99).map(at => ({ known: kind, at, or: example }))] : []
  return fc.oneof(...known, fc.constant(example).map(asJson), plain(schema).map(asJson))
}

/** Which kind of known value a field takes. */
const kinds: Record<string, ValueKind> = {
  id: 'id',
  ticket_id: 'ticket',
  email: 'email',
  token: 'reset',
  refresh_token: 'refresh',
  temp_token: 'challenge',
  code: 'code',
  two_factor_code: 'code',
  secret: 'secret',
  phone_number: 'phone'
}

function plain(schema: Json): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  switch ([schema.type].flat()[0]) {
    case 'integer':
      return fc.integer({ min: 1, max: 40 })
    case 'array': {
      const items = (schema.items ?? {}) as Json
      return fc.array(Array.isArray(items.enum) ? fc.constantFrom(...items.enum) : fc.string(), { maxLength: 20 })
    }
    default: {
      if (schema.format === 'email') return fc.emailAddress()
      if (schema.format?.toString().startsWith('date'))
        return fc.date({ noInvalidDate: true }).map(date => date.toISOString())
      const { minLength = 0, maxLength = 300 } = schema as { minLength?: number; maxLength?: number }
      return fc.string({ unit: 'grapheme', minLength: Math.min(minLength, 10), maxLength: Math.min(maxLength, 60) })
    }
  }
}

/** Values on both sides of a limit. */
function boundary(schema: Json): fc.Arbitrary<unknown> {
  const edges = [schema.minimum, schema.maximum].filter(edge => typeof edge === 'number')
  const numbers = [...edges.flatMap(edge => [edge - 1, edge, edge + 1]), ...hugeNumbers]
  if ([schema.type].flat().includes('integer')) {
    const number = fc.constantFrom(...numbers)
    return fc.oneof(
      number,
      number.map(String),
      number.map(each => ` ${each} `)
    )
  }
  const lengths = [schema.minLength, schema.maxLength].filter((length): length is number => Number(length) <= 70_000)
  const around = lengths.flatMap(length => [length - 1, length, length + 1]).filter(length => length >= 0)
  return fc
    .tuple(fc.constantFrom('a', ' ', 'é', '😀', '👩‍👩‍👧', '\u0301', '%', '\\'), fc.constantFrom(0, 1, ...around))
    .map(([character, length]) =>
      schema.format === 'email' ? `${character.repeat(Math.max(0, length - 12))}@example.com` : character.repeat(length)
    )
}

const hugeNumbers = [0, -0, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e21, 1e300, 5e-324]

/** Any sequence of 16-bit units: most hold NUL, control characters or half a surrogate pair. */
const anyUnits = fc
  .array(fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff }), fc.nat(0x20)), { maxLength: 30 })
  .map(units => String.fromCharCode(...units))

export const oddText: fc.Arbitrary<string> = fc.oneof(
  anyUnits,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '\0',
    '\ud800',
    '\udc00a',
    '\u202e\u2066',
    '\ufeff',
    '\u2028',
    '   ',
    '\t\r\n',
    "' or 1=1 --",
    '$1',
    '{{7*7}}',
    '%_\\',
    '../../etc/passwd',
    '<script>',
    'null',
    'undefined',
    'true',
    '[]',
    '["a",',
    '[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]',
    '{"a":1}',
    'TIC-000001',
    'TIC-99999999999999999999',
    '0000000000000001',
    '1e5',
    '+15550100123',
    'a@b',
    'a@[127.0.0.1]',
    '"a b"@example.com',
    'https://example.com/?a=b#c',
    'javascript:alert(1)',
    '2026-11-20',
    '9999-99-99T99:99:99Z',
    '+275760-09-13T00:00:00.000Z',
    'Bearer a.b.c',
    'eyJhbGciOiJub25lIn0.e30.'
  )
)

const otherType: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 3 }, { toString: 1 }, { id: 1 }),
  fc.double(),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toJSON', 'length', 'a'), fc.jsonValue({ maxDepth: 1 })),
  fc.integer({ min: 15, max: 25 }).map(depth => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown)
)

const rawLiteral = fc.constantFrom(
  '1e309',
  '-1e309',
  '1E-400',
  '00',
  '.5',
  '1.',
  'NaN',
  'Infinity',
  '1_0',
  '0x10',
  '9007199254740993',
  '123456789012345678901234567890',
  '-0',
  '1.0',
  '1e2',
  '"\\ud800"',
  '"\\u0000"',
  '"\\x"',
  '"\n"',
  "'a'",
  'tru',
  '',
  '{"a":1,"a":2}',
  '/**/1'
)
