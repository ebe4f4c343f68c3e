import type { TSchema } from 'typebox'
import { type Address, type AnyEndpoint, addressesOf } from './endpoint.ts'
import type { FailureKind } from './errors.ts'
import { acceptsIdempotencyKeys } from './idempotency.ts'
import { type Components, makeComponents } from './openapi-components.ts'
import { describeReasons, refusalReference, responsesOf } from './openapi-responses.ts'
import { bodyExample, bodySchema, exampleOf, type Fields, fieldsOf } from './openapi-schemas.ts'
import type { Json } from './plain-schema.ts'
import { describeAccess } from './routes.ts'

export interface ApiInfo {
  title: string
  version: string
  description: string
  license: { name: string; identifier: string }
  contact: { name: string }
  /** The base URL of all paths: `https://desk.example.com`, `/`, or `/desk` behind a proxy. */
  server: string
  /** Response schemas that are used in several places, each described once under this name. */
  models: Record<string, TSchema>
  /** The descriptions of the tags by their names, such as `tickets` or `admin: clients`. */
  areas: Record<string, string>
  /** The failures that no endpoint declares: of the paths that are no endpoints, and of any request. */
  failures: readonly FailureKind[]
  /** Describes the paths that are no endpoints; `refusal` refers to the schema of error envelopes. */
  paths(refusal: Json): Json
  /** Describes the webhooks; `refer` adds a schema to the components and returns a reference to it. */
  webhooks(refer: (name: string, schema: Json) => Json): Json
}

/** The OpenAPI 3.1 document of these endpoints: every path, alias and method, derived from their declarations. */
export function openApiOf(endpoints: readonly AnyEndpoint[], info: ApiInfo): Json {
  const components = makeComponents(info.models)
  describeReasons(endpoints, info.failures, components)
  // Main paths come first, so that the components are named after them and not after their aliases.
  const own = new Set(endpoints.map(endpoint => endpoint.path))
  const addresses = addressesOf(endpoints)
  for (const address of addresses) if (own.has(address.path)) operation(address, 'post', components)
  const paths = addresses.map(address => {
    const get = address.get ? { get: operation(address, 'get', components) } : {}
    return [address.path.replace(/:(\w+)/g, '{$1}'), { ...get, post: operation(address, 'post', components) }]
  })
  const { title, version, description, license, contact, server, areas } = info
  return {
    openapi: '3.1.0',
    info: { title, version, description, contact, license },
    servers: [{ url: server }],
    tags: Object.entries(areas).map(([name, about]) => ({ name, description: about })),
    paths: { ...Object.fromEntries(paths), ...info.paths(refusalReference(components)) },
    webhooks: info.webhooks((name, schema) => components.refer('schemas', name, schema)),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of somebody who has signed in.' },
        apiToken: { type: 'http', scheme: 'bearer', description: 'An API token, for programs: `dl_…`.' }
      },
      parameters: { Prefer: preferParameter, IdempotencyKey: keyParameter },
      headers: { PreferenceApplied: preferenceApplied, IdempotentReplayed: idempotentReplayed },
      ...components.all()
    }
  }
}

type Method = 'get' | 'post'

function operation(address: Address, method: Method, components: Components): Json {
  const endpoints = address.claims.map(claim => claim.endpoint)
  const hasPathId = address.path.includes('/:id')
  const permissions = [...new Set(endpoints.flatMap(permissionsOf))]
  const id = operationId(address, method)
  const named = { name: id[0]!.toUpperCase() + id.slice(1), hasPathId, isPost: method === 'post', components }
  return {
    operationId: id,
    tags: [areaOf(endpoints[0]!.path)],
    summary: endpoints.map(endpoint => endpoint.summary).join(' / '),
    description: description(address, method),
    ...(isAlias(address) ? { 'x-alias-of': endpoints.map(endpoint => endpoint.path) } : {}),
    ...(permissions.length > 0 ? { 'x-permission': permissions } : {}),
    security: security(endpoints),
    ...parameters(endpoints, method, hasPathId),
    ...(method === 'post' ? requestBody(address, named) : {}),
    responses: responsesOf(endpoints, named)
  }
}

/** `/api/tickets/:id/reply` is `ticketsByIdReply`; the GET of a path is another operation. */
function operationId({ path, claims }: Address, method: Method): string {
  const name = inOneWord(path)
  // `send-reset` is an alias of `send_reset`, and as one word both are the same.
  const isSpelling = claims.some(({ endpoint }) => endpoint.path !== path && inOneWord(endpoint.path) === name)
  return `${name}${isSpelling ? 'Alias' : ''}${method === 'get' ? 'WithGet' : ''}`
}

function inOneWord(path: string): string {
  const words = path.replace('/api/', '').replace('/:', '/by-').split(/[/_-]/)
  return words.map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('')
}

function areaOf(path: string): string {
  const [first, second] = path.replace('/api/', '').split('/')
  return first === 'admin' ? `admin: ${second}` : first!
}

function description(address: Address, method: Method): string {
  const [first, second] = address.claims
  const lines = [
    isAlias(address) && !second && `Alias of \`POST ${first!.endpoint.path}\`.`,
    second &&
      `Alias of \`POST ${first!.endpoint.path}\` when any of ${claimedFields(address).join(', ')} is sent, ` +
        `else of \`POST ${second.endpoint.path}\`.`,
    method === 'get' && 'The GET form takes its fields from the query.',
    ...address.claims.map(({ endpoint }) => {
      const where = second ? ` ${endpoint.path}` : ''
      return `Who may call${where}: ${describeAccess(endpoint.access)}.`
    })
  ]
  return lines.filter(Boolean).join('\n\n')
}

/** Whether a path is only an alias: of one endpoint, or of two, between which the fields sent decide. */
function isAlias({ path, claims }: Address): boolean {
  return claims.length > 1 || claims[0]!.endpoint.path !== path
}

/** The fields by which an endpoint claims a shared path, found by calling its claim with each. */
function claimedFields({ claims }: Address): string[] {
  const { endpoint, when } = claims[0]!
  const claimed = Object.keys(fieldsOf(endpoint).properties).filter(field =>
    when?.({ has: name => name === field, hasFiles: false })
  )
  return [...claimed.map(name => `\`${name}\``), ...(when?.({ has: () => false, hasFiles: true }) ? ['a file'] : [])]
}

function permissionsOf({ access }: AnyEndpoint): readonly string[] {
  if (access === 'admin') return ['admin']
  return typeof access === 'object' ? access.anyOf : []
}

function security(endpoints: readonly AnyEndpoint[]): Json[] {
  if (endpoints.every(endpoint => endpoint.access === 'public')) return []
  const isOpen = endpoints.some(endpoint => endpoint.access === 'public' || endpoint.access === 'optional')
  const programs = endpoints.every(endpoint => endpoint.signedInOnly) ? [] : [{ apiToken: [] }]
  return [...(isOpen ? [{}] : []), { bearer: [] }, ...programs]
}

function parameters(endpoints: readonly AnyEndpoint[], method: Method, hasPathId: boolean): Json {
  const [endpoint] = endpoints
  const { properties, required } = fieldsOf({ ...endpoint!, query: undefined })
  const inQuery = method === 'get' ? Object.keys(properties) : (endpoint!.query ?? [])
  const all = [
    ...(hasPathId ? [{ name: 'id', in: 'path', required: true, ...parameter(properties.id ?? {}) }] : []),
    ...inQuery.map(name => ({
      name,
      in: 'query',
      required: method === 'get' && required.includes(name),
      ...(method === 'post' ? { description: 'Send it here or in the body.' } : {}),
      ...parameter(properties[name]!)
    }))
  ]
  const headers =
    method === 'post' && endpoints.some(acceptsIdempotencyKeys) ? ['Prefer', 'IdempotencyKey'] : ['Prefer']
  return { parameters: [...all, ...headers.map(name => ({ $ref: `#/components/parameters/${name}` }))] }
}

const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description:
    'With `handling=strict` (RFC 7240) unknown fields, files and query parameters are a 400 that names them. Without it they are ' +
    'ignored.',
  schema: { type: 'string' },
  example: 'handling=strict'
}

const preferenceApplied = {
  description: '`handling=strict`, if the request asked for it.',
  schema: { type: 'string', const: 'handling=strict' }
}

const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique string of your own for each operation, 1 to 255 visible ASCII characters. For 24 hours, a retry with the same key returns ' +
    'the first response and is not executed again. Failed requests are not stored.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '0f8e6f0e-7a55-4c5b-9f2c-3d1f7a0e9b44'
}

const idempotentReplayed = {
  description: '`true` if this is the stored response to an earlier request with this `Idempotency-Key`.',
  schema: { type: 'string', const: 'true' }
}

function parameter({ examples, ...schema }: Json): Json {
  return { schema, example: exampleOf({ examples, ...schema }) }
}

interface Named {
  name: string
  hasPathId: boolean
  components: Components
}

/** The body in the three encodings; one of two bodies where two endpoints share a path. */
function requestBody(address: Address, { name, hasPathId, components }: Named): Json {
  const bodies = address.claims.map(({ endpoint }) => ({
    endpoint,
    fields: fieldsOf(endpoint, hasPathId ? ['id'] : [])
  }))
  const used = bodies.filter(({ endpoint, fields }) => endpoint.files || Object.keys(fields.properties).length > 0)
  if (used.length === 0) return { requestBody: components.refer('requestBodies', 'Empty', emptyBody) }

  const examples = used.map(({ endpoint, fields }) => {
    const example = { summary: endpoint.summary, value: bodyExample(endpoint, fields) }
    return [endpoint.path.split('/').at(-1)!, components.refer('examples', name, example)]
  })
  const content = (files: boolean) => {
    const schemas = used.map(({ endpoint, fields }) => {
      const takesFiles = files && endpoint.files !== undefined
      const schema = { title: endpoint.summary, ...bodySchema(fields, takesFiles) }
      return components.refer('schemas', `${name}Body${takesFiles ? 'WithFiles' : ''}`, schema)
    })
    return { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas }, examples: Object.fromEntries(examples) }
  }
  const body = {
    required: used.length === bodies.length && used.every(({ fields }) => needsBody(fields)),
    content: {
      'application/json': content(false),
      'multipart/form-data': content(true),
      'application/x-www-form-urlencoded': content(false)
    }
  }
  return { requestBody: components.refer('requestBodies', name, body) }
}

/** Callers of an endpoint without fields may send no body or an empty object. */
const emptyBody = {
  required: false,
  content: { 'application/json': { schema: { type: 'object', properties: {} }, example: {} } }
}

function needsBody({ required, oneNeeded }: Fields): boolean {
  return required.length > 0 || oneNeeded.length > 0
}
