import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { PoolCounts } from '../db/open.ts'

/** What has a registry of metrics. */
interface Registered {
  registry: Registry
}

/** Adds the state of the pool of connections, looked at when it is asked for. */
export function watchPool({ registry }: Registered, pool: PoolCounts): void {
  new Gauge({
    name: 'deskline_database_connections',
    help: 'Connections to the database.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    }
  })
  new Gauge({
    name: 'deskline_database_waiting',
    help: 'Who waits for a connection to the database.',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount)
    }
  })
}

/** Adds CPU, memory, event loop and garbage collection of this process, and what it is. Once a process: the watching costs. */
export function watchProcess({ registry }: Registered, build: { version: string; node: string }): void {
  collectDefaultMetrics({ register: registry })
  // Gauges that are named like counters; the ones without that ending tell the same by type.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  new Gauge({
    name: 'deskline_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers: [registry]
  }).set(build, 1)
}
