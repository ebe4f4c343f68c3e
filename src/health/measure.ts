import type { FastifyInstance } from 'fastify'
import { Unavailable } from '../kit/errors.ts'
import { isEventStream, streaming } from '../kit/event-stream.ts'
import type { Services } from '../services.ts'
import { isSignal } from './signal-routes.ts'

/** Counts the requests of an app and takes their time, except those of whoever watches it. */
export function measureRequests(app: FastifyInstance, { metrics }: Pick<Services, 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isSignal(request)) {
      metrics.requestsInFlight.inc()
      let isAnswered = false
      const answered = () => {
        if (!isAnswered) metrics.requestsInFlight.dec()
        isAnswered = true
      }
      // Also when the caller has gone and no answer is ever finished.
      reply.raw.once('close', answered).once(streaming, answered)
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!isSignal(request)) {
      const route = request.routeOptions.url ?? 'unknown'
      metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
      // How long somebody listens to a stream says nothing of how fast we are.
      if (!isEventStream(reply.raw)) metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000)
    }
    done()
  })
}

/**
 * Answers 503 before anything is done for a request when already too many wait for the database: who is told at once can come
 * again, who waits in a line without end has gone before it is their turn.
 */
export function turnAwayWhenBusy(
  app: FastifyInstance,
  { pool, config, metrics }: Pick<Services, 'pool' | 'config' | 'metrics'>
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (pool.waitingCount < config.MAX_WAITING_REQUESTS || isSignal(request)) return done()
    metrics.requestsTurnedAway.inc()
    done(Unavailable({ headers: { 'retry-after': '2' } }))
  })
}
