import pg from 'pg'
import type { DatabaseServer } from './database-server.ts'
import type { LoadProcess } from './load-process.ts'
import { cpuSeconds, processTree } from './process-usage.ts'
import type { Server } from './servers.ts'

/** The result of one round of requests to one server. Times are in milliseconds, CPU in milliseconds per request. */
export interface Round {
  perSecond: number
  p50: number
  p99: number
  slowest: number
  cpu: number
  /** NaN if the processes of the database are not visible. */
  databaseCpu: number
  failures: Record<string, number>
}

export const quantities = ['perSecond', 'p50', 'p99', 'cpu', 'databaseCpu'] as const

export interface MeasuredServer extends Server {
  database: string
}

export interface Meter {
  prepare(set: string, requests: Buffer[]): Promise<void>
  round(server: MeasuredServer, set: string, concurrency: number, milliseconds: number): Promise<Round>
  close(): Promise<void>
}

/** Opens a meter that measures servers with this load generator. */
export async function openMeter(load: LoadProcess, databases: DatabaseServer): Promise<Meter> {
  const client = new pg.Client({ connectionString: databases.url('postgres') })
  await client.connect()
  const backends = async ({ database, applicationName }: MeasuredServer): Promise<number[]> => {
    if (databases.kind === 'served') return []
    const { rows } = await client.query(
      'select pid from pg_stat_activity where datname = $1 and application_name = $2',
      [database, applicationName]
    )
    return rows.map(({ pid }) => pid)
  }
  return {
    prepare: load.prepare,
    async round(server, set, concurrency, milliseconds) {
      const own = await processTree(server.pid)
      const atWork = await backends(server)
      const [before, databaseBefore] = [await cpuSeconds(own), await cpuSeconds(atWork)]
      const { answered, seconds, p50, p99, slowest, failures } = await load.send({
        set,
        port: server.port,
        concurrency,
        milliseconds
      })
      server.check()
      const cpu = (await cpuSeconds(own)) - before
      // Connections that were opened meanwhile started at zero.
      const databaseCpu = (await cpuSeconds(await backends(server))) - databaseBefore
      return {
        perSecond: answered / seconds,
        p50,
        p99,
        slowest,
        cpu: (cpu * 1000) / answered,
        databaseCpu: databases.kind === 'served' ? Number.NaN : (databaseCpu * 1000) / answered,
        failures
      }
    },
    async close() {
      await client.end()
    }
  }
}
