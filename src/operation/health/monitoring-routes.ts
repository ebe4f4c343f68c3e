import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../core/services.ts'
import { failure, Unauthenticated, Unavailable } from '../../kit/errors.ts'
import { type Readiness, type ReadinessScope, readinessOf } from './readiness.ts'

/** The health and metrics of a process. */
export interface Monitoring {
  readiness: Readiness
  /** The metrics of this process, or of its whole cluster, in Prometheus' text format. */
  metrics(): Promise<string>
}

const addresses = ['/livez', '/readyz', '/metrics']
const methods = ['GET', 'HEAD']

export const NotReady = failure(503, 'not_ready', 'Not ready')

/** The health and metrics of one process, which is stopping once `ending` is aborted. */
export function monitoringOf(services: Services, ending?: AbortSignal, duty?: ReadinessScope): Monitoring {
  return { readiness: readinessOf(services, ending, duty), metrics: () => services.metrics.registry.metrics() }
}

/** Whether a request is for health or metrics: never refused as busy, counted or limited. */
export function isMonitoringRequest({ routeOptions }: FastifyRequest): boolean {
  return addresses.includes(routeOptions.url ?? '')
}

/** Whether the process responds, and whether it can do its work. Public: the response helps no attacker. */
export function healthRoutes(app: FastifyInstance, { readiness }: Pick<Monitoring, 'readiness'>): void {
  app.route({
    method: methods,
    url: '/livez',
    handler: (_request, reply) => reply.send({ status: 'success', code: 200, message: 'Alive' })
  })
  app.route({
    method: methods,
    url: '/readyz',
    async handler(_request, reply) {
      const names = (await readiness()).map(fault => fault.name)
      if (names.length > 0) throw NotReady({ message: `Not ready: ${names.join(', ')}`, errors: names })
      return reply.send({ status: 'success', code: 200, message: 'Ready' })
    }
  })
}

/** The metrics, for callers with `token` if one is required. */
export function metricsRoute(app: FastifyInstance, { metrics }: Pick<Monitoring, 'metrics'>, token?: string): void {
  app.route({
    method: methods,
    url: '/metrics',
    async handler(request, reply) {
      const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
      if (token && !isSame(given ?? '', token)) throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
      const text = await metrics().catch(() => {
        throw Unavailable({ message: 'The metrics could not be collected', headers: { 'retry-after': '5' } })
      })
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
    }
  })
}

/** Compares in constant time. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(one!, other!)
}
