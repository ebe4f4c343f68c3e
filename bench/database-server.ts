import { join } from 'node:path'
import pg from 'pg'
import { runningServer } from '../src/platform/postgres/cluster.ts'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'

/** A PostgreSQL server on which the bench creates its databases. */
export interface DatabaseServer {
  kind: 'embedded' | 'served'
  version: string
  /** The connection URL of a database on this server. */
  url(database: string): string
  /** Creates `database`, as a copy of `template` or empty; drops an existing one of that name first. */
  make(database: string, template?: string): Promise<void>
  drop(database: string): Promise<void>
  /** Renames a database; drops an existing one of the new name first. */
  rename(database: string, name: string): Promise<void>
  has(database: string): Promise<boolean>
  /** Drops every database of the bench except those to keep. */
  sweep(isKept: (database: string) => boolean): Promise<void>
  stop(): Promise<void>
}

const silent = { info() {}, warn() {}, error() {}, debug() {}, fatal() {} }

/**
 * Opens the server of DATABASE_URL, or else an embedded one in this folder, as durable as that of `deskline serve`. `durable: false` is for
 * filling: a database that is lost in a crash can be filled again.
 */
export async function openServer(
  dataDir: string,
  { served = process.env.DATABASE_URL, durable = true }: { served?: string; durable?: boolean } = {}
): Promise<DatabaseServer> {
  if (served) {
    const url = (database: string) => {
      const address = new URL(served)
      address.pathname = `/${database}`
      return address.href
    }
    return await serverAt('served', url, served, async () => {})
  }
  const { connection, stop } = await startEmbedded({ dataDir, log: silent, durable })
  const { host, port, user } = connection
  const url = (database: string) => socketUrl({ host, port, user, database })
  return await serverAt('embedded', url, url('postgres'), stop)
}

/** The connection URL of a database on a Unix socket. */
export function socketUrl(at: { host: string; port: number; user: string; database: string }): string {
  return `postgres://${at.user}@localhost:${at.port}/${at.database}?host=${encodeURIComponent(at.host)}`
}

async function serverAt(
  kind: DatabaseServer['kind'],
  url: DatabaseServer['url'],
  administration: string,
  stop: () => Promise<void>
): Promise<DatabaseServer> {
  const ask = async (statement: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: administration })
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.query(statement, values)
    } finally {
      await client.end()
    }
  }
  const drop = async (database: string) => {
    // `drop database … with (force)` is refused while autovacuum runs there; without force the server cancels the autovacuum.
    await ask('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user', [
      database
    ])
    await ask(`drop database if exists ${database}`)
  }
  const { rows } = await ask('show server_version')
  return {
    kind,
    version: rows[0].server_version,
    url,
    async make(database, template) {
      await drop(database)
      await ask(`create database ${database} template ${template ?? 'template0'} strategy file_copy`)
    },
    drop,
    async rename(database, name) {
      await drop(name)
      await ask(`alter database ${database} rename to ${name}`)
    },
    async sweep(isKept) {
      const { rows } = await ask("select datname from pg_database where datname ~ '^bench_'")
      for (const { datname } of rows) if (!isKept(datname)) await drop(datname)
    },
    has: async database => (await ask('select from pg_database where datname = $1', [database])).rowCount === 1,
    stop
  }
}

/** The process id of the embedded server in this folder. */
export async function embeddedPid(dataDir: string): Promise<number | undefined> {
  return (await runningServer(join(dataDir, 'postgres')))?.pid
}
