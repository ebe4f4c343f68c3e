import type { AnyEndpoint } from './endpoint.ts'
import {
  commonFailures,
  type FailureKind,
  Forbidden,
  InvalidFields,
  MissingFields,
  NotFound,
  SignInRequired,
  TooManyAttempts,
  Unauthenticated,
  UnknownFields
} from './errors.ts'
import { acceptsIdempotencyKeys, keyFailures, StillRunning } from './idempotency.ts'
import { withIsoTimes } from './iso-times.ts'
import type { Components } from './openapi-components.ts'
import { exampleOf, schemaWithModels } from './openapi-schemas.ts'
import { type Json, plainSchema } from './plain-schema.ts'

const refusalSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', const: 'error' },
    code: { type: 'integer', description: 'The HTTP status.' },
    message: { type: 'string', description: 'What went wrong, as text for people.' },
    reason: { $ref: '#/components/schemas/Reason' },
    errors: { type: 'array', items: { type: 'string' }, description: 'The names of the missing or invalid fields.' }
  },
  required: ['status', 'code', 'message', 'reason']
}

/**
 * Adds the closed list of all reasons to the components: those of the endpoints, and `others`, which no endpoint declares. The schema of error
 * envelopes refers to it.
 */
export function describeReasons(
  endpoints: readonly AnyEndpoint[],
  others: readonly FailureKind[],
  components: Components
): void {
  const declared = endpoints.flatMap(({ errors = [] }) => errors)
  const all = [...generalFailures, ...declared, ...others]
  const described = others.map(({ reason, status, text }) => `- \`${reason}\` (${status}): ${text}`)
  components.refer('schemas', 'Reason', {
    type: 'string',
    enum: [...new Set(all.map(({ reason }) => reason))].sort(),
    description: [
      'What went wrong, as a stable code for programs. Besides the reasons that an operation shows, these are possible:',
      '',
      ...new Set(described)
    ].join('\n')
  })
}

/** A reference to the common schema of error envelopes. */
export function refusalReference(components: Components): Json {
  return components.refer('schemas', 'Refusal', refusalSchema)
}

/** The responses of these endpoints at one path, by status: successes, then every possible failure. */
export function responsesOf(
  endpoints: readonly AnyEndpoint[],
  { name, hasPathId, isPost, components }: { name: string; hasPathId: boolean; isPost: boolean; components: Components }
): Json {
  const responses: Json = {}
  for (const endpoint of endpoints) {
    const status = endpoint.status ?? 200
    responses[status] = components.refer(
      'responses',
      `${name}${status}`,
      success(endpoint, { status, isPost, components })
    )
  }
  for (const [status, kinds] of refusalsOf(endpoints, { hasPathId, isPost })) {
    const isGeneral = kinds.every(kind => generalFailures.has(kind)) && !endpoints.some(each => each.forbidden)
    const response = refusal(status, kinds, endpoints, components)
    responses[status] = components.refer('responses', `${isGeneral ? 'Refused' : name}${status}`, response)
  }
  return responses
}

interface Success {
  status: number
  isPost: boolean
  components: Components
}

function success(endpoint: AnyEndpoint, named: Success): Json {
  const { answers, summary } = endpoint
  if (answers === 'file') return { description: summary, content: { '*/*': { schema: binary } } }
  if (answers === 'events')
    return { description: summary, content: { 'text/event-stream': eventsOf(endpoint, named.components) } }
  return envelope(endpoint, named)
}

const binary = { type: 'string', format: 'binary' }

/** Server-sent events. OpenAPI 3.1 cannot describe the data of an event; `contentSchema` of JSON Schema, for what a text contains, comes nearest. */
function eventsOf({ data }: AnyEndpoint, components: Components): Json {
  const shown = data && withIsoTimes(data)
  return {
    schema: {
      type: 'string',
      description: 'A stream of server-sent events; the schema describes the `data` of each event.',
      contentMediaType: 'text/event-stream',
      ...(shown ? { contentSchema: schemaWithModels(shown, components) } : {})
    },
    ...(shown ? { example: `data: ${JSON.stringify(exampleOf(plainSchema(shown)))}\n\n` } : {})
  }
}

function envelope(endpoint: AnyEndpoint, { status, isPost, components }: Success): Json {
  const { data, summary } = endpoint
  const shown = data && withIsoTimes(data)
  const plain = shown && plainSchema(shown)
  const shapes = (plain?.anyOf as Json[] | undefined) ?? [plain]
  const examples = shapes.map((shape, at) => [
    shapes.length === 1 ? 'answer' : `answer-${at + 1}`,
    {
      value: { status: 'success', code: status, message: 'What was done', ...(shape ? { data: exampleOf(shape) } : {}) }
    }
  ])
  return {
    description: summary,
    headers: {
      'Preference-Applied': { $ref: '#/components/headers/PreferenceApplied' },
      ...(isPost && acceptsIdempotencyKeys(endpoint)
        ? { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
        : {})
    },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            status: { type: 'string', const: 'success' },
            code: { type: 'integer', const: status },
            message: { type: 'string', description: 'What was done, as text for people.' },
            ...(shown ? { data: schemaWithModels(shown, components) } : {})
          },
          required: ['status', 'code', 'message', ...(shown ? ['data'] : [])]
        },
        examples: Object.fromEntries(examples)
      }
    }
  }
}

const generalFailures = new Set([
  Unauthenticated,
  Forbidden,
  NotFound,
  TooManyAttempts,
  ...keyFailures,
  ...commonFailures
])

function refusalsOf(
  endpoints: readonly AnyEndpoint[],
  { hasPathId, isPost }: { hasPathId: boolean; isPost: boolean }
): Map<number, FailureKind[]> {
  const kinds = endpoints.flatMap(endpoint => [...gateRefusals(endpoint), ...(endpoint.errors ?? [])])
  const ofKeys = isPost && endpoints.some(acceptsIdempotencyKeys) ? keyFailures : []
  const all = new Set([...commonFailures, ...ofKeys, ...(hasPathId ? [NotFound] : []), ...kinds])
  return Map.groupBy(
    [...all].sort((one, other) => one.status - other.status),
    kind => kind.status
  )
}

function gateRefusals({ access, whileRestricted, signedInOnly }: AnyEndpoint): FailureKind[] {
  const ofPrograms = signedInOnly ? [SignInRequired] : []
  if (access === 'public' || access === 'optional') return ofPrograms
  return access === 'user' && whileRestricted
    ? [Unauthenticated, ...ofPrograms]
    : [Unauthenticated, Forbidden, ...ofPrograms]
}

function refusal(
  status: number,
  kinds: FailureKind[],
  endpoints: readonly AnyEndpoint[],
  components: Components
): Json {
  const examples = kinds.flatMap(kind => exampleOfRefusal(kind, endpoints))
  const told = kinds.includes(StillRunning) ? [headerOfRunning] : (headers[status] ?? [])
  return {
    description: [...new Set(kinds.map(kind => kind.text))].join('. '),
    ...(told.length > 0
      ? {
          headers: Object.fromEntries(told.map(({ name, about, ...shown }) => [name, { description: about, ...shown }]))
        }
      : {}),
    content: {
      'application/json': {
        schema: refusalWith(kinds, components),
        examples: Object.fromEntries(
          examples.map(example => [example.reason, { value: { status: 'error', code: status, ...example } }])
        )
      }
    }
  }
}

/** The schema of an error envelope, with the data of those failures that have any. */
function refusalWith(kinds: FailureKind[], components: Components): Json {
  const data = kinds.flatMap(kind => (kind.data ? [schemaWithModels(withIsoTimes(kind.data), components)] : []))
  if (data.length === 0) return refusalReference(components)
  return {
    allOf: [refusalReference(components)],
    type: 'object',
    properties: { data: data.length === 1 ? data[0] : { anyOf: data } }
  }
}

interface Header {
  name: string
  about: string
  schema: { type: string }
  example?: string
}

const headerOfRunning: Header = {
  name: 'Retry-After',
  about: 'Seconds to wait before a retry, if the first request with this key is still running.',
  schema: { type: 'integer' }
}

const headers: Record<number, readonly Header[] | undefined> = {
  401: [{ name: 'WWW-Authenticate', about: '`Bearer`, if a bearer token is required.', schema: { type: 'string' } }],
  429: [
    { name: 'Retry-After', about: 'Seconds until the next attempt is allowed.', schema: { type: 'integer' } },
    {
      name: 'RateLimit-Policy',
      about:
        'The limit that was reached, if attempts are counted (IETF draft `ratelimit-headers`): its name, `q` attempts in a window of `w` seconds.',
      schema: { type: 'string' },
      example: '"password";q=10;w=900'
    },
    {
      name: 'RateLimit',
      about: 'What is left of that limit: `r` attempts (none), and `t` seconds until the window ends.',
      schema: { type: 'string' },
      example: '"password";r=0;t=840'
    }
  ],
  503: [{ name: 'Retry-After', about: 'Seconds to wait before a retry.', schema: { type: 'integer' } }]
}

interface ExampleOfRefusal {
  reason: string
  message: string
  errors?: readonly string[]
  data?: unknown
}

function exampleOfRefusal(kind: FailureKind, endpoints: readonly AnyEndpoint[]): ExampleOfRefusal[] {
  const { reason } = kind
  const [field] = endpoints.flatMap(({ body }) => Object.keys(body?.properties ?? {}))
  const required = endpoints.map(({ body }) => body?.required ?? []).find(names => names.length > 0)
  switch (kind) {
    case MissingFields:
      return required ? [{ reason, message: `${kind.text}: ${required.join(', ')}`, errors: required }] : []
    case InvalidFields:
      return field ? [{ reason, message: `${field} is not valid`, errors: [field] }] : []
    case UnknownFields:
      return []
    case Forbidden:
      return [{ reason, message: endpoints.find(({ forbidden }) => forbidden)?.forbidden ?? kind.text }]
    default:
      return [
        { reason, message: kind.text, ...(kind.data ? { data: exampleOf(plainSchema(withIsoTimes(kind.data))) } : {}) }
      ]
  }
}
