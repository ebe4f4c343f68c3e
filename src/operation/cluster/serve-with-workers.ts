import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { Config } from '../../core/config.ts'
import type { Services } from '../../core/services.ts'
import { listenForMonitoring, prepareToServe, printStartupMessage, type Roles, schemaOf } from '../../main.ts'
import { type Log, makeLog } from '../../platform/log.ts'
import { terminalAt } from '../../platform/terminal.ts'
import type { Monitoring } from '../health/monitoring-routes.ts'
import { readinessOf } from '../health/readiness.ts'
import { type Listening, refuseTakenAddresses } from '../listening.ts'
import { processesWithinMilliseconds, runUntilStopped, type StopRequest } from '../running.ts'
import { keepWorkers, type Workers } from './keep-workers.ts'
import type { Message } from './messages.ts'

/**
 * Serves with `count` processes on one port until SIGTERM, SIGINT or an error of ours; returns the exit code. This one, the primary, owns the
 * data folder and the embedded database, and prepares them. It serves no requests itself, so that none can crash it.
 */
export async function serveWithWorkers(config: Config, count: number, { jobs }: Pick<Roles, 'jobs'>): Promise<number> {
  const log = makeLog(config.LOG_LEVEL, 'stdout', terminalAt(1, process.env))
  await refuseTakenAddresses(config)
  return await runUntilStopped(config, log, { as: 'server', schema: schemaOf(config) }, async ({ services }, end) => {
    await prepareToServe(services, end.signal)
    let { PORT: port } = config
    cluster.once('listening', (_worker, address) => {
      port = address.port
    })
    const workers = keepWorkers(count, log, end)
    const signals = signalsOfAll(services, workers, end)
    answerWorkers(signals, log)

    let watched: Listening | undefined
    try {
      await workers.started
      if (!end.signal.aborted) {
        watched = await listenForMonitoring(services, signals)
        log.info({ workers: count, jobs }, 'working')
        await printStartupMessage(services, port)
      }
      await end.reason
    } finally {
      end.begin()
      await workers.stop(config.READY_DRAIN_SECONDS * 1000 + processesWithinMilliseconds)
      await watched?.stop(0)
    }
  })
}

/** Ready if the database and files are, and at least one worker accepts requests; the metrics are those of all. */
function signalsOfAll(services: Services, workers: Workers, end: StopRequest): Monitoring {
  const aggregator = new AggregatorRegistry()
  const own = countsOf(workers)
  const readiness = readinessOf(services, end.signal)
  return {
    async readiness() {
      const faults = await readiness()
      return workers.listening() > 0 ? faults : [...faults, { name: 'workers', reason: 'None takes requests' }]
    },
    metrics: async () => `${await own.metrics()}\n${await aggregator.clusterMetrics()}`
  }
}

function countsOf(workers: Workers): Registry {
  const registry = new Registry()
  new Gauge({
    name: 'deskline_workers',
    help: 'Processes that take requests.',
    registers: [registry],
    collect() {
      this.set(workers.listening())
    }
  })
  new Counter({
    name: 'deskline_worker_restarts_total',
    help: 'Processes that died and were started again.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(workers.restarts())
    }
  })
  return registry
}

/** A worker that gets a metrics request does not know the others' metrics. */
function answerWorkers({ metrics }: Monitoring, log: Log): void {
  cluster.on('message', async (worker, message: Message) => {
    if (message.type !== 'deskline:metrics') return
    try {
      const text = await metrics()
      if (worker.isConnected()) worker.send({ ...message, text } satisfies Message, () => {})
    } catch (error) {
      log.warn({ err: error }, 'The metrics of the workers could not be collected')
    }
  })
}
