import type { FastifyInstance } from 'fastify'
import type { JobHandlers } from '../../core/jobs.ts'
import { isMonitoringRequest } from './monitoring-routes.ts'

type Api = typeof import('@opentelemetry/api')

/** Spans for OpenTelemetry. */
export interface Tracing {
  traceRequests(app: FastifyInstance): void
  traced(handlers: JobHandlers): JobHandlers
}

/**
 * Tracing, if one of the OTEL_* variables is set; the SDK, which the operator loads by `--import`, interprets them. Otherwise OpenTelemetry is
 * not loaded.
 */
export async function openTracing(environment: Record<string, string | undefined>): Promise<Tracing | undefined> {
  const isAsked = Object.keys(environment).some(name => name.startsWith('OTEL_') && environment[name]?.trim())
  if (!isAsked || /^true$/i.test(environment.OTEL_SDK_DISABLED?.trim() ?? '')) return undefined
  return tracingWith(await import('@opentelemetry/api'))
}

function tracingWith(api: Api): Tracing {
  const tracer = api.trace.getTracer('deskline')
  return {
    traceRequests(app) {
      app.addHook('onRequest', (request, reply, done) => {
        if (isMonitoringRequest(request)) return done()
        const route = request.routeOptions.url ?? 'unknown'
        const name = `${request.method} ${route}`
        const attributes = { 'http.route': route, 'deskline.request_id': request.id }
        const outer = api.trace.getActiveSpan()
        // The SDK traces HTTP itself, but does not know the name of the route.
        if (outer) {
          outer.updateName(name).setAttributes(attributes)
          return done()
        }
        const parent = api.propagation.extract(api.context.active(), request.headers)
        const span = tracer.startSpan(
          name,
          { kind: api.SpanKind.SERVER, attributes: { ...attributes, 'http.request.method': request.method } },
          parent
        )
        reply.raw.once('close', () => {
          span.setAttribute('http.response.status_code', reply.statusCode)
          if (reply.statusCode >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
          span.end()
        })
        api.context.with(api.trace.setSpan(parent, span), done)
      })
    },

    traced(handlers) {
      const entries = Object.entries(handlers).map(([name, handle]) => [
        name,
        (data: never, attempt: Parameters<typeof handle>[1]) =>
          tracer.startActiveSpan(
            `job ${name}`,
            { kind: api.SpanKind.CONSUMER, attributes: { 'deskline.job.attempt': attempt.number } },
            async span => {
              try {
                await handle(data, attempt)
              } catch (error) {
                span.recordException(error as Error)
                span.setStatus({ code: api.SpanStatusCode.ERROR })
                throw error
              } finally {
                span.end()
              }
            }
          )
      ])
      return Object.fromEntries(entries) as JobHandlers
    }
  }
}
