import fc from 'fast-check'
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'
import { fieldsOf } from '../../src/kit/openapi-schemas.ts'
import { routes } from '../support/routes.ts'
import { fittingValue, oddText, type Value, valueFor } from './values.ts'

type Who = 'stranger' | 'client' | 'supporter' | 'admin' | 'forger'

/** Who is let in nowhere needs not ask as often. */
const who: Who[] = [
  'stranger',
  'stranger',
  'client',
  'client',
  'client',
  'supporter',
  'supporter',
  'admin',
  'admin',
  'admin',
  'forger'
]

/** A request before it is written down; names and values may come twice. */
export interface FuzzRequest {
  who: Who
  method: string
  /** The address as it is declared; `id` comes in the place of `:id`. */
  pattern: string
  id: Value
  suffix: string
  query: [string, Value][]
  encoding: 'json' | 'form' | 'multipart'
  /** In place of the right content type. */
  type: string | undefined
  fields: [string, Value][]
  files: FuzzFile[]
  mutation: Mutation
  headers: Record<string, string>
}

export interface FuzzFile {
  field: string
  /** As it stands between the quotes of the header; undefined leaves the name out. */
  name: string | undefined
  type: string
  sizeBytes: number
}

/** What happens to the bytes of the body on their way. */
export type Mutation =
  | { how: 'none' }
  | { how: 'cut'; at: number }
  | { how: 'flip'; at: number; to: number }
  | { how: 'insert'; at: number; bytes: number[] }
  | { how: 'twice' }

/** Most often somebody who is let in. */
function caller({ access }: AnyEndpoint): fc.Arbitrary<Who> {
  const isForStaff = access === 'admin' || (typeof access === 'object' && !access.orClient)
  const rightful: Who[] = isForStaff ? ['admin'] : ['client', 'client', 'supporter', 'admin']
  return fc.oneof(fc.constantFrom(...rightful), fc.constantFrom(...who))
}

/** What a header can hold at all: Node.js itself sends nothing else. */
const headerText = fc.oneof(
  fc.constantFrom(
    '',
    ',',
    '*',
    'a b',
    '"',
    'null',
    '0',
    '-1',
    '127.0.0.1',
    '::1, ::1',
    'https://evil.example',
    'x'.repeat(3_000)
  ),
  fc
    .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), { maxLength: 30 })
    .map(codes => String.fromCharCode(...codes))
)
const headerNames = [
  'x-request-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'origin',
  'user-agent',
  'accept',
  'cookie',
  'expect'
]
const anyHeaders = rarely(fc.dictionary(fc.constantFrom(...headerNames), headerText, { maxKeys: 3 }), {})

/** Downloads of files that were told, or that never were, with ranges and signatures of all kinds. */
const anyDownload: fc.Arbitrary<FuzzRequest> = fc.record({
  who: fc.constantFrom(...who),
  method: fc.constant('GET'),
  pattern: fc.constant(':id'),
  id: fc.oneof(
    fc.nat(99).map((at): Value => ({ known: 'file', at, or: '/uploads/tickets/00/none.txt' })),
    oddText.map((json): Value => ({ json }))
  ),
  suffix: rarely(fc.constantFrom('/', '?', '/..', '%00', '.txt'), ''),
  query: fc.array(fc.tuple(fc.constantFrom('expires', 'signature', 'until', 'token', 'a'), valueFor('', {})), {
    maxLength: 3
  }),
  encoding: fc.constant('json' as const),
  type: fc.constant(undefined),
  fields: fc.constant([]),
  files: fc.constant([]),
  mutation: fc.constant({ how: 'none' as const }),
  headers: fc.dictionary(
    fc.constantFrom('range', 'if-range', 'if-none-match', 'if-modified-since'),
    fc.oneof(
      headerText,
      fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,2-3', `bytes=${'9'.repeat(30)}-`, '"a"', 'W/"a"')
    ),
    { maxKeys: 2 }
  )
})

/** Requests to any address of any endpoint, made from its own schema. */
const anyCall: fc.Arbitrary<FuzzRequest> = fc.constantFrom(...routes).chain(({ endpoint, pattern, methods }) => {
  const fields = Object.entries(fieldsOf(endpoint).properties)
  const own = fields.map(([name, schema]) =>
    fc.tuple(fc.oneof(fc.constant(name), fc.constant(`${name}[]`)), valueFor(name, schema))
  )
  const mostOfOwn = fc
    .tuple(
      ...fields.map(([name, schema]) => fc.option(fc.tuple(fc.constant(name), valueFor(name, schema)), { freq: 6 }))
    )
    .map(pairs => pairs.filter(pair => pair !== null))
  // Nothing to object to: what comes behind the checks wants to be tried as well.
  const sound = fc.tuple(
    ...fields
      .filter(([name]) => !endpoint.synonyms?.[name])
      .map(([name, schema]) => fc.tuple(fc.constant(name), fittingValue(name, schema)))
  )
  const odd = fc.tuple(fc.oneof(fc.constantFrom(...hostileNames), oddText), valueFor('', {}))
  const more = rarely(fc.array(own.length > 0 ? fc.oneof(odd, ...own) : odd, { maxLength: 4 }), [])
  const pairs = fc.oneof(
    sound,
    fc.tuple(mostOfOwn, more).map(([usual, others]) => [...usual, ...others])
  )
  return fc.record({
    who: caller(endpoint),
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...methods) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'PATCH', 'DELETE') }
    ),
    pattern: fc.constant(pattern),
    id: pattern.includes(':id') ? valueFor('ticket_id', { type: 'integer', minimum: 1 }) : fc.constant({ json: 1 }),
    suffix: rarely(fc.constantFrom('/', '//', '?', '/..', '/%2e', '%00', '/%', '#'), ''),
    query: methods.includes('GET') ? pairs : rarely(pairs, []),
    encoding: fc.constantFrom('json', 'form', 'multipart'),
    type: rarely(fc.constantFrom(...oddTypes), undefined),
    fields: pairs,
    files: fc.oneof(
      { weight: endpoint.files ? 1 : 8, arbitrary: fc.constant<FuzzFile[]>([]) },
      { weight: 1, arbitrary: fc.array(anyFile, { maxLength: 5 }) }
    ),
    mutation: rarely(anyMutation, { how: 'none' }),
    headers: anyHeaders
  })
})

export const anyRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 40, arbitrary: anyCall },
  { weight: 1, arbitrary: anyDownload }
)

function rarely<T>(what: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: what })
}

const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '__proto__[admin]',
  'constructor.prototype.admin',
  '',
  'id',
  'ID',
  'role',
  'is_active',
  'permissions[]',
  'permissions[0]',
  'client_id'
]

const oddTypes = [
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;;',
  'application/vnd.api+json',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'multipart/form-data; boundary="a b"',
  'multipart/mixed; boundary=boundary',
  'application/x-www-form-urlencoded; charset=latin1',
  '/',
  ';'
]

const anyFile: fc.Arbitrary<FuzzFile> = fc.record({
  field: fc.oneof(fc.constantFrom('attachments', 'attachments[]', 'file', '__proto__', 'subject', 'id'), oddText),
  name: fc.option(
    fc.oneof(
      fc.constantFrom(
        'a.txt',
        'b.pdf',
        'c.png',
        '',
        '.',
        '..',
        '../../x.txt',
        'C:\\x.txt',
        'a.exe',
        'a.txt.exe',
        '.txt',
        'a.txt\0.exe',
        'a".txt',
        'a%22.txt',
        "utf-8''a.txt",
        `${'x'.repeat(300)}.txt`,
        `${'😀'.repeat(80)}.txt`,
        '\u202egpj.exe',
        'con.txt'
      ),
      oddText,
      oddText.map(text => `${text}.txt`)
    ),
    { nil: undefined }
  ),
  type: fc.oneof(
    fc.constantFrom('', 'text/plain', 'image/png', 'application/octet-stream', 'text/html', 'a/b; x="', '*/*'),
    oddText
  ),
  sizeBytes: fc.constantFrom(0, 1, 100, 5_000, 39_999, 40_000, 40_001)
})

const anyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ how: fc.constant('cut' as const), at: fc.nat(10_000) }),
  fc.record({ how: fc.constant('flip' as const), at: fc.nat(10_000), to: fc.nat(255) }),
  fc.record({
    how: fc.constant('insert' as const),
    at: fc.nat(10_000),
    bytes: fc.array(fc.nat(255), { maxLength: 8 })
  }),
  fc.constant({ how: 'twice' as const })
)
