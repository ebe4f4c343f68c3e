import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { endpoints } from '../../src/endpoints.ts'
import { addressesOf } from '../../src/kit/endpoint.ts'

/** The caller: anybody with a token; undefined is not logged in. */
export type Asker = { token: string } | undefined

export type Encoding = 'json' | 'form' | 'multipart'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
  // biome-ignore lint/suspicious/noExplicitAny: `body.data`, for short.
  data: any
}

export type Poster = (path: string, asker?: Asker, body?: object | FormData, encoding?: Encoding) => Promise<Reply>

/** POSTs to a desk; a FormData is sent as multipart. Every response must be an envelope, and match its endpoint's schema. */
export function poster(url: string, besides: Record<string, string> = {}): Poster {
  return async (path, asker, body, encoding = 'json') => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        ...(asker ? { authorization: `Bearer ${asker.token}` } : {}),
        ...typeOf(body, encoding),
        ...besides
      },
      body: encoded(body, encoding)
    })
    return await readReply(path, response)
  }
}

/** Reads a response and checks it against the contract's envelope and the schemas of the endpoints at `path`. */
export async function readReply(path: string, response: Response): Promise<Reply> {
  // A stream is not awaited to its end: its beginning is the response.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, headers: response.headers, body: undefined, data: undefined }
  }
  const text = await response.text()
  assert.match(
    response.headers.get('content-type') ?? '',
    /^application\/json/,
    `${path} answered ${text.slice(0, 200)}`
  )
  const body = JSON.parse(text)
  assert.equal(body.code, response.status)
  assert.equal(typeof body.message, 'string')
  if (response.ok) {
    assert.equal(body.status, 'success')
    const fits = validators(path)
    assert.ok(
      fits.length === 0 || fits.some(validate => validate(body.data)),
      `${path} answered what its schema does not allow: ${text} ${JSON.stringify(fits[0]?.errors)}`
    )
  } else {
    assert.equal(body.status, 'error')
    assert.ok(body.errors === undefined || body.errors.every((name: unknown) => typeof name === 'string'))
    assert.ok(
      body.data === undefined || refusalShapes(path, body.code).some(validate => validate(body.data)),
      `${path} refused with data that nothing declares: ${text}`
    )
  }
  return { status: response.status, headers: response.headers, body, data: body.data }
}

function typeOf(body: object | undefined, encoding: Encoding): Record<string, string> {
  if (!body || body instanceof FormData || encoding === 'multipart') return {}
  return { 'content-type': encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded' }
}

function encoded(body: object | undefined, encoding: Encoding): RequestInit['body'] {
  if (!body || body instanceof FormData) return body
  if (encoding === 'json') return JSON.stringify(body)
  const form = encoding === 'form' ? new URLSearchParams() : new FormData()
  for (const [name, value] of Object.entries(body)) {
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, String(each))
  }
  return form
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const compiled = new Map<object, ValidateFunction>()

const addresses = addressesOf(endpoints).map(({ path, claims }) => ({
  path,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  endpoints: claims.map(({ endpoint }) => endpoint)
}))
const exact = new Map(addresses.map(address => [address.path, address]))

function endpointsAt(path: string) {
  const plain = path.split('?', 1)[0]!.replace(/(.)\/$/, '$1')
  const address = exact.get(plain) ?? addresses.find(({ pattern }) => pattern.test(plain))
  return address?.endpoints ?? []
}

/** The schemas of refusals with this status. */
function refusalShapes(path: string, status: number): ValidateFunction[] {
  const kinds = endpointsAt(path).flatMap(({ errors = [] }) => errors)
  return kinds.filter(kind => kind.status === status && kind.data).map(kind => validatorOf(kind.data as object))
}

function validators(path: string): ValidateFunction[] {
  return endpointsAt(path).map(({ data }) => {
    if (!data) return ((given: unknown) => given === undefined) as unknown as ValidateFunction
    return validatorOf(data)
  })
}

function validatorOf(schema: object): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}
