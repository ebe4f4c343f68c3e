import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { failureOf } from '../../core/failures.ts'
import type { Services } from '../../core/services.ts'
import { errorEnvelope, NotFound } from '../../kit/errors.ts'
import { healthRoutes, type Monitoring, metricsRoute } from './monitoring-routes.ts'

/** The app on METRICS_PORT: only health and metrics, for anybody who can reach it. It does not listen yet. */
export function buildMonitoringApp(
  { config, log }: Pick<Services, 'config' | 'log'>,
  signals: Monitoring
): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    return503OnClosing: false
  })
  app.setErrorHandler((error, _request, reply) => {
    const refusal = failureOf(error)
    return reply.code(refusal.status).headers(refusal.headers).send(errorEnvelope(refusal))
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorEnvelope(NotFound())))
  healthRoutes(app, signals)
  metricsRoute(app, signals, config.METRICS_TOKEN)
  return app
}
