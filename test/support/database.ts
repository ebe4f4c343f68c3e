import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { migrations } from '../../migrations/index.ts'
import type { Db } from '../../src/core/db.ts'
import { openJobs } from '../../src/core/jobs.ts'
import type { Tables } from '../../src/core/tables/tables.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/platform/db/open.ts'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'
import { copyTemplateCluster, embeddedDatabase } from './template-cluster.ts'

export interface TestDatabase {
  connection: DatabaseOptions['connection']
  db: Db
  probe: Db
  pool: pg.Pool
  close(): Promise<void>
}

export const quiet = pino({ level: process.env.LOG_LEVEL ?? 'silent' })

/**
 * A new database, cloned from a template that is migrated once per run; on the embedded server, or on that of DATABASE_URL; an empty one if
 * `migrated` is false. `close` drops it, or else the end of the run.
 */
export async function testDatabase({
  connections = 1,
  migrated = true
}: {
  connections?: number
  migrated?: boolean
} = {}): Promise<TestDatabase> {
  server ??= openServer()
  const { template, at, administer, isOurs, closers } = await server
  const name = `deskline_test_${randomBytes(6).toString('hex')}`
  // Copying files takes half the time of copying through the log; on a server that flushes to disk it is the other way round.
  const strategy = isOurs ? 'strategy file_copy' : ''
  await administer(`create database ${name} template ${migrated ? template : 'template0'} ${strategy}`)
  const database = open(at(name), connections)
  let closed: Promise<void> | undefined
  const close = () => {
    // Our own server is removed as a whole at the end. On another, an autovacuum worker may be in the way: then the database stays.
    closed ??= database
      .close()
      .then(() => (isOurs ? undefined : administer(`drop database ${name} with (force)`).catch(() => {})))
    return closed
  }
  closers.push(close)
  return { connection: at(name), db: database.db, probe: database.probe, pool: database.pool, close }
}

interface TestServer {
  template: string
  at(database: string): DatabaseOptions['connection']
  administer(statement: string): Promise<void>
  /** Whether the server was started for this run. */
  isOurs: boolean
  closers: (() => Promise<void>)[]
}

let server: Promise<TestServer> | undefined
let stop: (() => Promise<void>) | undefined

// The worker closes them after its last file.
if (!process.connected) after(closeTestServer)

/** Closes what tests have left open; the server stays. */
export async function closeTestDatabases(): Promise<void> {
  const opened = await server
  await Promise.allSettled(opened?.closers.splice(0).map(close => close()) ?? [])
}

export async function closeTestServer(): Promise<void> {
  await closeTestDatabases()
  await stop?.()
}

async function openServer(): Promise<TestServer> {
  const at = await startServer()
  // A test file ends when nothing is pending: an idle connection would be, for ten seconds.
  const administrators = new pg.Pool({ ...asObject(at('postgres')), max: 1, allowExitOnIdle: true })
  administrators.on('error', () => {})
  const statements: Promise<unknown>[] = []
  const administer = async (statement: string) => {
    const ran = Promise.allSettled([...statements]).then(() => administrators.query(statement))
    statements.push(ran.catch(() => {}))
    await ran
  }

  const template = `deskline_template_${randomBytes(6).toString('hex')}`
  const isOurs = !process.env.DATABASE_URL
  // The cluster of a run is migrated already.
  await administer(`create database ${template}${isOurs ? ` template ${embeddedDatabase}` : ''}`)
  const database = open(at(template), 1)
  await migrate(database.db, migrations)
  await database.close()
  await openJobs({ connection: at(template), log: quiet }).install()

  const stopServer = stop
  stop = async () => {
    await administer(`drop database ${template} with (force)`).catch(() => {})
    await administrators.end()
    await stopServer?.()
  }
  return { template, at, administer, isOurs, closers: [] }
}

async function startServer(): Promise<TestServer['at']> {
  const url = process.env.DATABASE_URL
  if (url) {
    return database => {
      const address = new URL(url)
      address.pathname = `/${database}`
      return address.href
    }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-test-'))
  await copyTemplateCluster(dataDir)
  const embedded = await startEmbedded({ dataDir, log: quiet, durable: false })
  stop = async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return database => ({ ...embedded.connection, database })
}

/** The same as a DATABASE_URL, for another process. */
export function databaseUrl(connection: DatabaseOptions['connection']): string {
  if (typeof connection === 'string') return connection
  const { host, port, user, database } = connection
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

function asObject(connection: DatabaseOptions['connection']): pg.PoolConfig {
  return typeof connection === 'string' ? { connectionString: connection } : connection
}

function open(connection: DatabaseOptions['connection'], maxConnections: number): Database<Tables> {
  return openDatabase<Tables>({
    connection,
    maxConnections,
    statementTimeoutMilliseconds: 60_000,
    connectTimeoutMilliseconds: 60_000,
    onIdleError() {}
  })
}
