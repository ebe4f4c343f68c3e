import type { FastifyInstance } from 'fastify'
import type { Services } from '../../core/services.ts'
import { Unavailable } from '../../kit/errors.ts'
import { isEventStream, streamStarted } from '../../kit/event-stream.ts'
import { isMonitoringRequest } from './monitoring-routes.ts'

/** Counts the requests of an app and measures their time, except those for health and metrics. */
export function measureRequests(app: FastifyInstance, { metrics }: Pick<Services, 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isMonitoringRequest(request)) {
      metrics.requestsInFlight.inc()
      let isAnswered = false
      const answered = () => {
        if (!isAnswered) metrics.requestsInFlight.dec()
        isAnswered = true
      }
      // Also if the caller has gone and the response is never finished.
      reply.raw.once('close', answered).once(streamStarted, answered)
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!isMonitoringRequest(request)) {
      const route = request.routeOptions.url ?? 'unknown'
      metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
      // The duration of a stream says nothing about our speed.
      if (!isEventStream(reply.raw)) metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000)
    }
    done()
  })
}

/**
 * Responds with 503 before any work if too many requests already wait for the database: a caller refused at once can retry, one in an endless
 * queue is gone before its turn.
 */
export function shedLoad(
  app: FastifyInstance,
  { pool, config, metrics }: Pick<Services, 'pool' | 'config' | 'metrics'>
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (pool.waitingCount < config.MAX_WAITING_REQUESTS || isMonitoringRequest(request)) return done()
    metrics.requestsTurnedAway.inc()
    done(Unavailable({ headers: { 'retry-after': '2' } }))
  })
}
