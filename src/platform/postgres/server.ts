import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Binaries } from './binaries.ts'
import { readPostmasterFile, superuser } from './cluster.ts'
import { diskIsFull, EmbeddedError } from './error.ts'
import { type EmbeddedLog, logSettings, readServerLog } from './log.ts'
import type { Identity } from './process.ts'
import { runSupervised, type SupervisedProcess, stopSupervised } from './process.ts'
import { clearSocketFolder, socketPort } from './socket.ts'

/** Enough for the pools of 64 worker processes; one that is not used takes a few kilobytes. */
export const maxConnections = 300

/** The options of a server. */
export interface ServerOptions {
  /** The cluster's folder, with links resolved. */
  cluster: string
  socketFolder: string
  binaries: Binaries
  identity: Identity
  isDurable: boolean
}

export interface Server {
  guarded: SupervisedProcess
  readyAt: number
}

/**
 * Starts a server and resolves when its database `deskline` accepts queries, however long crash recovery takes. Throws an EmbeddedError with the
 * server's message if it ends instead; `signal` aborts and stops it.
 */
export async function launchServer(place: ServerOptions, log: EmbeddedLog, signal: AbortSignal): Promise<Server> {
  for (const deadline = Date.now() + 10_000; ; await pause(100)) {
    await clearSocketFolder(place.socketFolder)
    const { read, lastLines, reason } = readServerLog(log)
    const guarded = runSupervised(place.identity, serverCommand(place), read)
    try {
      await untilReady(place, guarded, log, signal)
      await prepareDatabase(place)
      return { guarded, readyAt: Date.now() }
    } catch (error) {
      await stopSupervised(guarded)
      if (/No space left/.test(lastLines.join())) throw diskIsFull(place.cluster)
      // The children of a killed server may keep its shared memory for a moment.
      const isBlocked = /pre-existing shared memory block/.test(lastLines.join())
      if (isBlocked && Date.now() < deadline && !signal.aborted) continue
      if (error instanceof EmbeddedError)
        throw new EmbeddedError(`${error.message}${reason() ? ` (${reason()})` : ''}.`)
      throw new EmbeddedError(
        `The embedded database on ${place.cluster} started but cannot be used (${reason() ?? (error as Error).message}).`,
        { cause: error }
      )
    }
  }
}

/** Whether the server responds to a query. */
export async function answers(config: ClientConfig): Promise<boolean> {
  return await query(config, 'select 1').then(
    () => true,
    () => false
  )
}

function serverCommand({ cluster, socketFolder, binaries, isDurable }: ServerOptions): string[] {
  const flush = isDurable ? 'on' : 'off'
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(socketPort),
    fsync: flush,
    synchronous_commit: flush,
    full_page_writes: flush,
    // Tests create a hundred databases, and its workers would visit them all the time.
    autovacuum: flush,
    max_connections: String(maxConnections),
    shared_buffers: '128MB',
    timezone: 'UTC',
    // Tests count the rows of all tables, which are nearly empty, again and again: that takes ten times as long in parallel.
    ...(isDurable ? {} : { max_parallel_workers_per_gather: '0' }),
    ...logSettings
  }
  return [
    binaries.postgres,
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  ]
}

async function untilReady(
  place: ServerOptions,
  guarded: SupervisedProcess,
  log: EmbeddedLog,
  signal: AbortSignal
): Promise<void> {
  const { cluster, socketFolder } = place
  let reportAt = Date.now() + 10_000
  while (!guarded.hasEnded()) {
    if (signal.aborted) throw new EmbeddedError('The embedded database was stopped while it started')
    // The file may be of a killed server that had the same process id: in a container ids start anew. The socket is ours, and is created after
    // the server has written its own file.
    const hasSocket = (await readdir(socketFolder)).includes(`.s.PGSQL.${socketPort}`)
    const note = await readPostmasterFile(cluster)
    if (hasSocket && note?.pid === guarded.child.pid && note?.status === 'ready') return
    if (Date.now() > reportAt) {
      log.info({ status: note?.status }, 'The embedded database is still starting; recovery from a crash takes time')
      reportAt += 10_000
    }
    await pause(10)
  }
  throw new EmbeddedError(`The embedded database on ${cluster} did not start`)
}

/** Creates the role and the database if they are missing: a kill may have come right after the first start. */
async function prepareDatabase({ socketFolder }: ServerOptions): Promise<void> {
  const connection = { host: socketFolder, port: socketPort }
  if (await answers({ ...connection, user: 'deskline', database: 'deskline' })) return
  const administration = { ...connection, user: superuser, database: 'postgres' }
  const roles = await query(administration, `select 1 from pg_roles where rolname = 'deskline'`)
  if (roles === 0) await query(administration, 'create role deskline login createdb')
  const databases = await query(administration, `select 1 from pg_database where datname = 'deskline'`)
  if (databases === 0) await query(administration, 'create database deskline owner deskline')
}

/** The row count of one statement on a new connection. */
async function query(config: ClientConfig, statement: string): Promise<number> {
  const client = new Client({ ...config, ssl: false, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // a server that dies is noticed by its process
  await client.connect()
  try {
    const { rowCount } = await client.query(statement)
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
