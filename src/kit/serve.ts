import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { plainAddress } from '../lib/network.ts'
import { type SerializeEnvelope, sendAnswer } from './answers.ts'
import { maxFormFields, readForm } from './body/form.ts'
import { type BodyLimits, readBody } from './body/read-body.ts'
import { emptyInput, type RequestInput } from './body/request-input.ts'
import { callerOf } from './caller.ts'
import { type Access, type Address, type AnyEndpoint, addressesOf } from './endpoint.ts'
import { commonFailures, Failure, Forbidden, Unauthenticated, Unavailable } from './errors.ts'
import { manageEventStreams } from './event-stream.ts'
import {
  acceptsIdempotencyKeys,
  canonicalRequest,
  type ExecuteOnce,
  keyFailures,
  keyOf,
  sendStoredResponse,
  storedResponse
} from './idempotency.ts'
import { inMemoryUpload } from './in-memory-upload.ts'
import { type InputPlan, inputPlan, readInput, refuseUnknown, wasSent } from './input.ts'
import { prefersStrict, strictPreferenceApplied } from './preferences.ts'
import { serializerFor } from './serializer.ts'
import type { UploadStore } from './uploads.ts'

export interface ServeOptions {
  services: unknown
  limits: Omit<BodyLimits, 'maxParts'>
  /** How files of this caller are stored. */
  uploads(actor: unknown, ip: string): UploadStore
  /** Authenticates a request: the session of its bearer token and its person, if any. */
  sessionOf(
    request: FastifyRequest
  ): Promise<{ actor: unknown; headers?: Readonly<Record<string, string>> } | undefined>
  /** Authorizes: whether this person may call an endpoint with this access. */
  admits(access: Access<string>, actor: unknown): boolean
  /** Why the API token of this person may not call an endpoint, if they use one. */
  refusalOfToken(endpoint: AnyEndpoint, actor: unknown): Failure | undefined
  /** Why this person may currently call only endpoints that are open `whileRestricted`: the message of the 403. */
  restricts(actor: unknown): string | undefined
  /** Executes a request with an idempotency key once. */
  executeOnce: ExecuteOnce
  /** Identifies an upload of the application's store: its name, type and digest. */
  contentOf(upload: unknown): readonly string[]
  /** In tests: called for a failure that the endpoint did not declare, which is a bug. */
  strict: boolean
}

type Claim = Address['claims'][number]

/** What depends only on the path, computed once. */
interface Served {
  claims: readonly Claim[]
  endpoints: readonly AnyEndpoint[]
  /** Needs no authentication. */
  isPublic: boolean
  /** Of the endpoint that takes files. */
  files: AnyEndpoint['files']
  /** Fields that a POST may have in its query. */
  inQuery: readonly string[]
}

interface Compiled {
  plan: InputPlan
  serialize(answer: Envelope): string
}

interface Envelope {
  status: 'success'
  code: number
  message: string
  data?: unknown
}

// What depends only on the endpoint; computed on the first request, to keep the start fast.
const compiled = new WeakMap<AnyEndpoint, Compiled>()

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether all endpoints of this path only read. */
    onlyReads?: boolean
  }
}

/** Registers every address of these endpoints. */
export function serveEndpoints(app: FastifyInstance, endpoints: readonly AnyEndpoint[], options: ServeOptions): void {
  manageEventStreams(app)
  for (const address of addressesOf(endpoints)) {
    const served = servedAt(address)
    app.route({
      method: address.get ? ['GET', 'POST'] : 'POST',
      url: address.path,
      exposeHeadRoute: false,
      config: { onlyReads: served.endpoints.every(({ onlyReads }) => onlyReads) },
      handler: (request, reply) => answer(served, options, request, reply)
    })
  }
}

function servedAt({ claims }: Address): Served {
  const endpoints = claims.map(claim => claim.endpoint)
  return {
    claims,
    endpoints,
    isPublic: endpoints.every(({ access }) => access === 'public'),
    files: endpoints.find(({ files }) => files)?.files,
    inQuery: endpoints.flatMap(({ query }) => query ?? [])
  }
}

/** Handles a request, always in this order: authenticate, authorize, read the body, check missing and invalid fields, handle, filter, envelope. */
async function answer(
  served: Served,
  options: ServeOptions,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const session = served.isPublic ? undefined : await options.sessionOf(request)
  const actor = session?.actor
  if (session?.headers) reply.headers(session.headers)
  pass(served.endpoints, actor, options)

  const isStrict = prefersStrict(request.headers.prefer)
  const { uploads, limits } = intakeFor(served, actor, options, request)
  const sent = await readSent(served, { limits, uploads }, request, isStrict)
  let claimed: AnyEndpoint | undefined
  try {
    const endpoint = claimedBy(served.claims, sent)
    if (served.claims.length > 1) pass([endpoint], actor, options)
    // From here on, failures must be declared by the endpoint.
    claimed = endpoint
    const { plan, serialize } = compiledFor(endpoint)
    if (isStrict) {
      reply.headers(strictPreferenceApplied)
      refuseUnknown(plan, sent)
    }
    const body = readInput(plan, sent.fields, (request.params as { id?: string }).id)
    const status = endpoint.status ?? 200
    // The newline is for whoever reads the answer at a terminal.
    const write: SerializeEnvelope = ({ message, data }) =>
      `${serialize({ status: 'success', code: status, message, data })}\n`
    const handle = (services: unknown) =>
      endpoint.handle({
        body,
        actor,
        session,
        files: sent.uploads,
        services,
        caller: callerOf(request),
        disconnected: () => disconnected(reply)
      })
    const key = keyOf(request, endpoint, actor)
    if (key === undefined) return await sendAnswer(request, reply, await handle(options.services), { status, write })

    const asked = canonicalRequest(body, sent.uploads, options.contentOf)
    const { path, about = 'caller' } = endpoint
    const repeatable = { key, actor, path, about, asked, body, hasFiles: sent.uploads.length > 0 }
    const done = await options.executeOnce(repeatable, async services =>
      storedResponse(await handle(services), status, write)
    )
    if (done.isReplayed && sent.uploads.length > 0) await uploads?.forget(sent.uploads)
    return sendStoredResponse(reply, done)
  } catch (error) {
    if (sent.uploads.length > 0) await uploads?.forget(sent.uploads)
    if (options.strict && claimed) checkDeclared(claimed, error)
    throw error
  }
}

/** Throws a 401 without a login, and a 403 for people who may call none of these endpoints. */
function pass(endpoints: readonly AnyEndpoint[], actor: unknown, options: ServeOptions): void {
  const refusals = actor ? endpoints.map(endpoint => options.refusalOfToken(endpoint, actor)) : []
  if (refusals.length > 0 && refusals.every(refusal => refusal !== undefined)) throw refusals[0]
  const isOpen = endpoints.some(({ access }) => access === 'public' || access === 'optional')
  if (isOpen) return
  if (!actor) throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
  const restriction = options.restricts(actor)
  if (restriction !== undefined && !endpoints.some(({ whileRestricted }) => whileRestricted)) {
    throw Forbidden({ message: restriction })
  }
  if (endpoints.some(({ access }) => options.admits(access, actor))) return
  throw Forbidden({ message: endpoints.find(({ forbidden }) => forbidden)?.forbidden })
}

/** Selects the endpoint of a shared path by the fields that were sent. */
function claimedBy(claims: readonly Claim[], { fields, uploads }: RequestInput): AnyEndpoint {
  if (claims.length === 1) return claims[0]!.endpoint
  const sent = { has: (name: string) => wasSent(fields, name), hasFiles: uploads.length > 0 }
  return claims.find(({ when }) => !when || when(sent))!.endpoint
}

/** Where the files of a request go, if the endpoint accepts any, and the size limits. */
interface Intake {
  uploads: UploadStore | undefined
  limits: BodyLimits
}

/** Of a caller who is not logged in. A part costs 40 µs, and no form for strangers has more than a dozen fields besides its files. */
const maxPartsOfStrangers = 200

function intakeFor({ files }: Served, actor: unknown, options: ServeOptions, request: FastifyRequest): Intake {
  const limits = { ...options.limits, maxParts: actor === undefined ? maxPartsOfStrangers : maxFormFields }
  if (!files) return { uploads: undefined, limits }
  if (files === true) return { uploads: options.uploads(actor, plainAddress(request.ip)), limits }
  return { uploads: inMemoryUpload(files), limits: { ...limits, maxFiles: 1, maxFileBytes: files.maxInMemoryBytes } }
}

async function readSent(
  served: Served,
  { limits, uploads }: Intake,
  request: FastifyRequest,
  isStrict: boolean
): Promise<RequestInput> {
  const isGet = request.method === 'GET'
  const inQuery = isGet
    ? served.endpoints.flatMap(endpoint => compiledFor(endpoint).plan.fields.map(({ name }) => name))
    : served.inQuery
  const query = inQuery.length > 0 || isStrict ? readForm(Buffer.from(queryOf(request), 'latin1')) : []
  const sent = isGet ? emptyInput() : await readBody(request.raw, limits, uploads)
  for (const [name, given] of query) {
    if (inQuery.includes(name)) sent.fields.set(name, [...(sent.fields.get(name) ?? []), ...given])
    else sent.unread.push(name)
  }
  return sent
}

/** Everything after the first question mark: a value may hold others. */
function queryOf({ raw }: FastifyRequest): string {
  const mark = raw.url!.indexOf('?')
  return mark < 0 ? '' : raw.url!.slice(mark + 1)
}

function disconnected({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort(Unavailable({ message: 'The caller has hung up' }))
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return gone.signal
}

function compiledFor(endpoint: AnyEndpoint): Compiled {
  const known = compiled.get(endpoint)
  if (known) return known
  const made = { plan: inputPlan(endpoint), serialize: serializer(endpoint) }
  compiled.set(endpoint, made)
  return made
}

/** Serializes the response, and drops every field that the endpoint did not declare. */
function serializer({ data }: AnyEndpoint): (answer: Envelope) => string {
  const write = data && serializerFor(data)
  return ({ status, code, message, data }) => {
    const more = write && data !== undefined ? `,"data":${write(data)}` : ''
    return `{"status":"${status}","code":${code},"message":${JSON.stringify(message)}${more}}`
  }
}

function checkDeclared(endpoint: AnyEndpoint, error: unknown): void {
  if (!(error instanceof Failure)) return
  if (error.data && !error.kind.data) throw new Error(`${endpoint.path} failed with data that it does not declare`)
  const declared = [
    ...commonFailures,
    ...(acceptsIdempotencyKeys(endpoint) ? keyFailures : []),
    ...(endpoint.errors ?? [])
  ]
  const hasPathId = [endpoint.path, ...(endpoint.aliases ?? [])].some(alias => JSON.stringify(alias).includes(':id'))
  if (declared.includes(error.kind) || (error.status === 404 && hasPathId)) return
  throw new Error(`${endpoint.path} failed in a way it does not declare: ${error.status} ${error.message}`)
}
