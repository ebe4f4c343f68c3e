import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Lets the pages of these origins call the service from a browser. They bring their bearer themselves: nothing rests on cookies, so
 * credentials are never allowed, and no origin is but those. Without origins no header of CORS is ever sent. Register it before
 * `methodsOf`: its OPTIONS for every path is no method of any.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const shared = {
    credentials: false,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'Last-Event-ID',
      'X-Request-Id',
      'Range',
      'If-Range',
      'If-None-Match',
      'Prefer'
    ],
    exposedHeaders: [
      'X-Request-Id',
      'Retry-After',
      'WWW-Authenticate',
      'Content-Disposition',
      'Content-Range',
      'ETag',
      'X-Current-Version',
      'Accept-Ranges',
      'Preference-Applied',
      'Idempotent-Replayed',
      'Last-Event-ID'
    ],
    maxAge: 600
  }
  await app.register(cors, {
    delegator(request: FastifyRequest, done) {
      const { origin } = request.headers
      if (origin === undefined || !origins.includes(origin)) return done(null, { origin: false })
      // Any other OPTIONS is a method that no address takes.
      const preflight = request.headers['access-control-request-method'] !== undefined
      done(null, { ...shared, origin, preflight })
    }
  })
}
