import { AggregatorRegistry } from 'prom-client'
import { type Config, embeddedConnections } from '../../core/config.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { type Roles, runRoles } from '../../main.ts'
import { makeLog } from '../../platform/log.ts'
import { terminalAt } from '../../platform/terminal.ts'
import { readinessOf } from '../health/readiness.ts'
import { runUntilStopped } from '../running.ts'
import { type Message, placeVariable } from './messages.ts'

const metricsWithinMilliseconds = 8_000

/** Serves as one of several processes on one port, until the primary stops it or is gone; the first one runs the jobs. */
export async function serveAsWorker(config: Config, { jobs }: Pick<Roles, 'jobs'>): Promise<number> {
  const [place = 1, count = 1] = process.env[placeVariable]!.split('/').map(Number)
  const log = makeLog(config.LOG_LEVEL, 'stdout', terminalAt(1, process.env)).child({ worker: place })
  const options = { as: 'child', schema: 'require', labels: { worker: String(place) } } as const

  return await runUntilStopped(shareOf(config, count), log, options, async (installation, end) => {
    const { services } = installation
    process.on('message', (message: Message) => {
      if (message.type === 'deskline:stop') end.begin()
    })
    new AggregatorRegistry()
    AggregatorRegistry.setRegistries([services.metrics.registry])
    const signals = { readiness: readinessOf(services, end.signal), metrics: askForMetrics() }
    await runRoles(installation, end, { requests: true, jobs: jobs && place === 1 }, signals)
  })
}

/** All workers together stay within the embedded server's connection limit, and only the primary listens on METRICS_PORT. */
function shareOf(config: Config, count: number): Config {
  const { DATABASE_URL, DATABASE_POOL, METRICS_PORT, METRICS_TOKEN } = config
  return {
    ...config,
    DATABASE_POOL: DATABASE_URL ? DATABASE_POOL : Math.min(DATABASE_POOL, embeddedPoolOf(count)),
    METRICS_PORT: undefined,
    METRICS_TOKEN: METRICS_PORT === undefined ? METRICS_TOKEN : undefined
  }
}

/** The pool of each of so many workers on the embedded server. */
export function embeddedPoolOf(count: number): number {
  return Math.max(2, Math.floor(embeddedConnections / count))
}

/** Fetches the metrics of all workers from the primary. */
function askForMetrics(): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  process.on('message', (message: Message) => {
    if (message.type === 'deskline:metrics') waiting.get(message.id)?.(message.text ?? '')
  })
  return async () => {
    const id = ++asked
    const { promise, resolve } = Promise.withResolvers<string>()
    waiting.set(id, resolve)
    process.send!({ type: 'deskline:metrics', id } satisfies Message)
    return await withTimeout(metricsWithinMilliseconds, promise).finally(() => waiting.delete(id))
  }
}
