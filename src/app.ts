import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import helmet from '@fastify/helmet'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController
} from 'fastify'
import type { Actor } from './actor.ts'
import { admits } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { failureOf } from './failures.ts'
import { answerBrokenHttp, refuseExpectations } from './kit/broken-http.ts'
import { BodyTooLarge, errorEnvelope, Failure, MalformedBody, MethodNotAllowed, NotFound } from './kit/errors.ts'
import { methodsOf } from './kit/methods.ts'
import { serveEndpoints } from './kit/serve.ts'
import type { Services } from './services.ts'
import { actorOf } from './sessions/actor-of.ts'
import { downloadRoute } from './tickets/endpoints/download.ts'
import { uploadStore } from './tickets/uploads.ts'
import { apiDocument } from './web/api-document.ts'
import { pages } from './web/pages.ts'

/** The whole HTTP service on these services. It does not listen yet. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, log } = services
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // The one line a request is written below.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    genReqId: requestIdOf,
    requestTimeout: 15 * 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerBrokenHttp,
    // An address with broken escapes or an endless part of a path.
    frameworkErrors: (_error, request, reply) => {
      const plain = reply as FastifyReply
      plain.code(404).headers(headersOfAll(request.id)).send(errorEnvelope(NotFound()))
    },
    // Refused below, with an envelope.
    http: { requireHostHeader: false }
  })
  refuseExpectations(app.server as Server)

  // Bodies are read by the kit, after the gates: nothing is parsed for somebody who may not enter.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  await app.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    hsts: config.production,
    xFrameOptions: { action: 'deny' }
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOfAll(request.id))
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw MalformedBody({ message: 'The request has no Host header' })
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip
      },
      'answered'
    )
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = frameworkRefusal(error) ?? failureOf(error)
    if (refusal.status >= 500) log.error({ err: error, requestId: request.id }, refusal.message)
    return reply.code(refusal.status).headers(refusal.headers).send(errorEnvelope(refusal))
  })

  const methods = methodsOf(app)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods(pathOf(request))
    const refusal =
      allowed && !allowed.includes(request.method)
        ? MethodNotAllowed({ headers: { allow: allowed.join(', ') } })
        : NotFound()
    return reply.code(refusal.status).headers(refusal.headers).send(errorEnvelope(refusal))
  })

  serveEndpoints(app, endpoints, {
    services,
    limits: { maxBytes: config.MAX_JSON_BYTES, maxFiles: config.MAX_FILES, maxFileBytes: config.MAX_FILE_BYTES },
    uploads: uploadStore(services),
    actorOf: authorization => actorOf(services, authorization),
    admits: (access, actor) => admits(access as Parameters<typeof admits>[0], actor as Actor),
    strict: config.NODE_ENV === 'test'
  })
  downloadRoute(app, services)
  await pages(app, apiDocument(new URL(config.BASE_URL).pathname))
  return app
}

function headersOfAll(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'cache-control': 'no-store' }
}

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID()
}

function pathOf(request: FastifyRequest): string {
  return request.raw.url!.split('?', 1)[0]!
}

/** What Fastify itself refuses, in our words; its own 5xx are ours to explain in the log. */
function frameworkRefusal(error: FastifyError): Failure | undefined {
  if (error instanceof Failure || error.statusCode === undefined || error.statusCode >= 500) return undefined
  if (error.statusCode === 413) return BodyTooLarge()
  return MalformedBody({ message: 'The request is not valid' })
}
