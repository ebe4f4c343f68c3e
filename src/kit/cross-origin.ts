import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * CORS: lets pages of these origins call the service from a browser. They send a bearer token, never a cookie, so
 * credentials are never allowed. Without origins no CORS header is sent. Register it before
 * `methodsOf`: its OPTIONS handler for every path does not count as a method of the path.
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
      'RateLimit',
      'RateLimit-Policy',
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
      // Any other OPTIONS request is a 405.
      const preflight = request.headers['access-control-request-method'] !== undefined
      done(null, { ...shared, origin, preflight })
    }
  })
}
