import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { PoolCounts } from '../db/open.ts'

/** An object with a metrics registry. */
interface Registered {
  registry: Registry
}

/** Adds the state of the connection pool, read when it is collected. */
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

/** Adds CPU, memory, event loop and garbage collection of this process, and its build. Once per process, since observing costs. */
export function watchProcess({ registry }: Registered, build: { version: string; node: string }): void {
  collectDefaultMetrics({ register: registry })
  // Gauges named like counters; those without that suffix have the same values by type.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  new Gauge({
    name: 'deskline_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers: [registry]
  }).set(build, 1)
}
