import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController
} from 'fastify'
import { stdSerializers } from 'pino'
import { type Actor, accountName } from './core/actor.ts'
import { authenticate } from './core/api-tokens/authenticate.ts'
import { programOf } from './core/api-tokens/last-calls.ts'
import type { Config } from './core/config.ts'
import { admits, refusalOfToken, restrictionOf } from './core/endpoint.ts'
import { failureOf } from './core/failures.ts'
import { makeExecuteOnce } from './core/idempotency/execute-once.ts'
import type { Services } from './core/services.ts'
import { endpoints } from './endpoints.ts'
import { allowOrigins } from './kit/cross-origin.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { BodyTooLarge, errorEnvelope, Failure, MalformedBody, MethodNotAllowed, NotFound } from './kit/errors.ts'
import { answerMalformedHttp, refuseExpectations } from './kit/malformed-http.ts'
import { methodsOf } from './kit/methods.ts'
import { serializePipelinedRequests } from './kit/pipelined-requests.ts'
import { hostFault, stripForwardedPorts } from './kit/request-headers.ts'
import { safeHeaders } from './kit/safe-headers.ts'
import { serveEndpoints } from './kit/serve.ts'
import { disconnectSlowReaders } from './kit/slow-readers.ts'
import { disconnectSlowSenders } from './kit/slow-senders.ts'
import { plainAddress } from './lib/network.ts'
import { keepCallsOfPrograms } from './operation/health/calls-of-programs.ts'
import {
  healthRoutes,
  isMonitoringRequest,
  type Monitoring,
  metricsRoute,
  monitoringOf
} from './operation/health/monitoring-routes.ts'
import { measureRequests, shedLoad } from './operation/health/request-metrics.ts'
import type { Tracing } from './operation/health/tracing.ts'
import { pages } from './operation/pages/pages.ts'
import { webPages } from './operation/pages/web.ts'
import { allStreamsReleased } from './outward/live/streams.ts'
import { plainRoutes } from './plain-routes.ts'
import type { StagedFile } from './platform/files/file-store.ts'
import { countedUploads } from './tickets/attachments/uploads.ts'

const maxHeaderBytes = 16 * 1024
/** How often the time limits of headers and requests are checked, so they may act this much later. */
const connectionsCheckingInterval = 2_000
const lingerMilliseconds = 30_000
const webFolder = join(import.meta.dirname, '../web/dist')

export interface AppOptions {
  /** The endpoints to serve, by default all: the bench serves its own beside them. */
  endpoints?: readonly AnyEndpoint[]
  /** Health and metrics; by default those of this process. */
  signals?: Monitoring
  tracing?: Tracing
  /** Aborted when the process is to stop: from then on each connection ends with its response, while it still takes requests. */
  ending?: AbortSignal
  /** The folder of the built portal and console. */
  webFolder?: string
}

/** The whole HTTP service. It does not listen yet. */
export async function buildApp(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const { config, log } = services
  const signals = options.signals ?? monitoringOf(services)
  const headersOfAll = { ...safeHeaders({ hsts: config.production }), 'cache-control': 'no-store' }
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Each request is logged once, below.
    logController: new LogController({ disableRequestLogging: true }),
    // No request has a log of its own.
    childLoggerFactory: logger => logger,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    genReqId: () => randomUUID(),
    requestTimeout: config.REQUEST_TIMEOUT_SECONDS * 1000,
    connectionTimeout: config.IDLE_TIMEOUT_SECONDS * 1000,
    keepAliveTimeout: config.IDLE_TIMEOUT_SECONDS * 1000,
    trustProxy: trusted(config.TRUST_PROXY),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerMalformedHttp,
    // A URL with broken escapes or an endless path segment.
    frameworkErrors: (_error, request, reply) => {
      const plain = reply as FastifyReply
      plain
        .code(404)
        .headers({ ...headersOfAll, 'x-request-id': callersId(request) ?? request.id })
        .send(errorEnvelope(NotFound()))
    },
    http: {
      requestTimeout: config.REQUEST_TIMEOUT_SECONDS * 1000,
      headersTimeout: config.HEADERS_TIMEOUT_SECONDS * 1000,
      connectionsCheckingInterval,
      maxHeaderSize: maxHeaderBytes,
      // Refused below, with an envelope.
      requireHostHeader: false
    },
    serverFactory: (handler, options) => httpServer(handler, options as FastifyHttpOptions<Server>)
  })
  refuseExpectations(app.server as Server)

  // Ends like every other response, so that the prompt of a terminal is on a new line.
  app.setReplySerializer(answer => `${JSON.stringify(answer)}\n`)

  // The kit reads bodies after the access checks: nothing is parsed for a caller without permission.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOfAll).header('x-request-id', callersId(request) ?? request.id)
    stripForwardedPorts(request.headers)
    // So that a proxy sends its next request on a new connection, which then leads to another process.
    if (options.ending?.aborted) reply.header('connection', 'close')
    done(hostFault(request.raw))
  })
  // Only a clock that can be set has to be asked where it stands.
  const { clock } = services
  if (clock.follow) app.addHook('onRequest', () => clock.follow?.())
  if (config.production && config.TRUST_PROXY === undefined) warnOfProxy(app, log)
  disconnectSlowSenders(app, {
    minBytesPerSecond: config.MIN_BYTES_PER_SECOND,
    stallMilliseconds: config.STALL_SECONDS * 1000,
    lingerMilliseconds
  })
  disconnectSlowReaders(app, {
    minBytesPerSecond: config.MIN_BYTES_PER_SECOND,
    stallMilliseconds: config.STALL_SECONDS * 1000
  })
  await allowOrigins(app, config.CORS_ORIGINS)
  measureRequests(app, services)
  options.tracing?.traceRequests(app)
  shedLoad(app, services)
  logRequests(app, log)
  keepCallsOfPrograms(app, services)
  app.addHook('onResponse', (request, reply, done) => {
    const mayHaveWritten = request.method === 'POST' && reply.statusCode < 400
    if (mayHaveWritten && !request.routeOptions.config.onlyReads) services.events.wakeUp()
    done()
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = frameworkRefusal(error) ?? failureOf(error)
    // A declared failure explains itself, a bug is explained by its stack, and what the environment refuses by its message.
    if (refusal.status === 500 && !(error instanceof Failure)) {
      log.error({ err: error, ...idsOf(request) }, refusal.message)
    } else if (refusal.status > 500 && !(error instanceof Failure)) {
      log.warn({ reason: stdSerializers.err(error).message, ...idsOf(request) }, refusal.message)
    }
    request.refusal = refusal
    return reply.code(refusal.status).headers(refusal.headers).send(errorEnvelope(refusal))
  })

  const methods = methodsOf(app)
  app.setNotFoundHandler(async (request, reply) => {
    const allowed = methods(pathOf(request))
    const isWrongMethod = allowed && !allowed.includes(request.method)
    if (!allowed && (await pageNotFound(request, reply))) return reply
    const refusal = isWrongMethod ? MethodNotAllowed({ headers: { allow: allowed.join(', ') } }) : NotFound()
    return reply.code(refusal.status).headers(refusal.headers).send(errorEnvelope(refusal))
  })

  serveEndpoints(app, options.endpoints ?? endpoints, {
    services,
    limits: { maxBytes: config.MAX_JSON_BYTES, maxFiles: config.MAX_FILES, maxFileBytes: config.MAX_FILE_BYTES },
    uploads: (actor, ip) => countedUploads(services, actor as Actor | undefined, ip),
    async sessionOf(request) {
      return await authenticate(services, request.headers.authorization, plainAddress(request.ip), actor => {
        request.account = accountName(actor)
        request.program = programOf(actor)
      })
    },
    admits: (access, actor) => admits(access as Parameters<typeof admits>[0], actor as Actor),
    refusalOfToken: (endpoint, actor) => refusalOfToken(endpoint, actor as Actor),
    restricts: actor => restrictionOf(actor as Actor),
    executeOnce: makeExecuteOnce(services),
    contentOf: upload => {
      const { fileName, fileType, sha256 } = upload as StagedFile
      return [fileName, fileType, sha256]
    },
    strict: config.NODE_ENV === 'test'
  })
  app.addHook('onClose', () => allStreamsReleased(services))
  plainRoutes(app, services)
  healthRoutes(app, signals)
  if (config.METRICS_TOKEN && config.METRICS_PORT === undefined) metricsRoute(app, signals, config.METRICS_TOKEN)
  pages(app, config.BASE_URL)
  const pageNotFound = webPages(app, config, options.webFolder ?? webFolder)
  return app
}

/** The same as Fastify's, except for pipelined requests. */
function httpServer(
  handler: RequestListener,
  { keepAliveTimeout, connectionTimeout, http }: FastifyHttpOptions<Server>
) {
  const server = createServer(http!, serializePipelinedRequests(handler))
  server.keepAliveTimeout = keepAliveTimeout!
  server.setTimeout(connectionTimeout!)
  return server
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, such as `staff:7`, once known; for the log. */
    account: string
  }
}

/** Logs one line per request. */
function logRequests(app: FastifyInstance, log: Services['log']): void {
  app.decorateRequest('account', '')
  // The line contains no secrets, so redaction is skipped.
  const answers = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    answers[isMonitoringRequest(request) ? 'debug' : 'info'](
      {
        ...idsOf(request),
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        ip: plainAddress(request.ip),
        ...(request.account === '' ? {} : { account: request.account })
      },
      'answered'
    )
    done()
  })
}

/** Behind a proxy that is not configured all callers share one address, and one of them can use up everybody's rate limit. */
function warnOfProxy(app: FastifyInstance, log: Services['log']): void {
  let hasWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!hasWarned && headers['x-forwarded-for'] !== undefined) {
      hasWarned = true
      log.warn(
        'Requests come with X-Forwarded-For, but TRUST_PROXY is not set: every caller counts as the same address'
      )
    }
    done()
  })
}

/** The trusted proxies, by number of hops or by address: earlier entries of X-Forwarded-For are never believed. */
function trusted(proxies: Config['TRUST_PROXY']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : (proxies ?? false)
}

/** The caller's request id. It is echoed and logged; records have our own, which nobody can choose. */
function callersId({ headers }: { headers: IncomingMessage['headers'] }): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : undefined
}

function idsOf(request: FastifyRequest): { requestId: string; callersRequestId?: string } {
  const callersRequestId = callersId(request)
  return { requestId: request.id, ...(callersRequestId ? { callersRequestId } : {}) }
}

function pathOf(request: FastifyRequest): string {
  return request.raw.url!.split('?', 1)[0]!
}

/** Fastify's own refusals as our failures; its 5xx are bugs, which the log explains. */
function frameworkRefusal(error: FastifyError): Failure | undefined {
  if (error instanceof Failure || error.statusCode === undefined || error.statusCode >= 500) return undefined
  if (error.statusCode === 413) return BodyTooLarge()
  return MalformedBody({ message: 'The request is not valid' })
}
