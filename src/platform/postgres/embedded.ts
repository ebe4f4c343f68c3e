import { access, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries, packageFor } from './binaries.ts'
import { checkCluster, clearCluster, createCluster, runningServer } from './cluster.ts'
import { EmbeddedError, folderFailure } from './error.ts'
import { takeLock } from './lock.ts'
import type { EmbeddedLog } from './log.ts'
import { holdOpen, stopSupervised } from './process.ts'
import { answers, launchServer, type Server, type ServerOptions } from './server.ts'
import { findSocketFolder, makeSocketFolder, removeSocketFolder, socketPort } from './socket.ts'
import { changeOwner, chooseIdentity } from './user.ts'

export { EmbeddedError } from './error.ts'

/** The connection options, as `pg.Pool` takes them. */
export interface EmbeddedConnection {
  /** The folder of the server's socket. */
  host: string
  port: number
  user: string
  database: string
}

export interface EmbeddedServer {
  /** Stays the same when the server is restarted after a crash. */
  connection: EmbeddedConnection
  /** Shuts the server down and waits for its end; a second call waits for the first. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: EmbeddedLog
  /** False disables all flushes to the disk: only for tests. */
  durable?: boolean
  /** Stops the creation of the cluster. */
  signal?: AbortSignal
}

/**
 * Starts the bundled server on `${dataDir}/postgres`, creating the cluster on first use and a database named `deskline`. Throws an EmbeddedError
 * for another Deskline on the folder, another major version, an unusable folder, or an unsupported system. While it runs, a server that dies is
 * restarted. When this process dies, so does the server.
 */
export async function startEmbedded({
  dataDir,
  log,
  durable = true,
  signal
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const folder = resolve(dataDir)
  packageFor(process.platform, process.arch)
  await inFolder(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  })

  const lock = await takeLock(folder)
  try {
    const place = await inFolder(folder, () => prepare(folder, durable, log, signal))
    const stopServer = await supervise(place, log)
    let stopped: Promise<void> | undefined
    return {
      connection: connectionTo(place.socketFolder),
      stop: () =>
        (stopped ??= stopServer()
          .then(() => removeSocketFolder(folder, place.socketFolder))
          .finally(lock.release))
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * The connection to the server that another process runs on this folder (CLI commands attach to it), or undefined if none runs. Waits up to 15 s
 * for a server that is starting.
 */
export async function attachEmbedded(dataDir: string): Promise<EmbeddedConnection | undefined> {
  const folder = resolve(dataDir)
  return await inFolder(folder, async () => {
    const cluster = await realpath(join(folder, 'postgres')).catch(() => undefined)
    if (!cluster) return undefined
    for (const deadline = Date.now() + 15_000; Date.now() < deadline; await pause(20)) {
      const server = await runningServer(cluster)
      if (!server || server.status === 'stopping') return undefined
      if (server.status !== 'ready') continue
      const { uid } = await stat(cluster)
      const socketFolder = await findSocketFolder(folder, uid)
      const connection = socketFolder && connectionTo(socketFolder)
      return connection && (await answers(connection)) ? connection : undefined
    }
    return undefined
  })
}

function connectionTo(socketFolder: string): EmbeddedConnection {
  return { host: socketFolder, port: socketPort, user: 'deskline', database: 'deskline' }
}

async function prepare(
  dataDir: string,
  isDurable: boolean,
  log: EmbeddedLog,
  signal: AbortSignal | undefined
): Promise<ServerOptions> {
  const installed = await findBinaries(dataDir)
  const path = join(dataDir, 'postgres')
  const isThere = await checkCluster(path, installed)
  const { identity, binaries } = await chooseIdentity(dataDir, path, installed)
  if (!isThere) {
    log.info({ folder: path }, 'Creating the embedded database')
    await createCluster(path, binaries, identity, { isDurable, signal })
  }
  const cluster = await realpath(path)
  await clearCluster(cluster, log)
  await changeOwner(identity, cluster)
  return { cluster, binaries, identity, isDurable, socketFolder: await makeSocketFolder(dataDir, identity) }
}

/** Keeps a server running until the returned function is called. */
async function supervise(place: ServerOptions, log: EmbeddedLog): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  let server = await launchServer(place, log, stopping.signal)
  let revival = Promise.resolve()
  let waitMilliseconds = 100

  function watch(watched: Server): void {
    holdOpen(watched.guarded, false)
    watched.guarded.ended.then(how => {
      if (stopping.signal.aborted) return
      log.error({ how }, 'The embedded database stopped unexpectedly and is restarted')
      if (Date.now() - watched.readyAt > 60_000) waitMilliseconds = 100
      revival = revive()
    })
  }

  async function revive(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(waitMilliseconds, undefined, { signal: stopping.signal }).catch(() => {})
      waitMilliseconds = Math.min(waitMilliseconds * 2, 10_000)
      if (stopping.signal.aborted) return
      try {
        await clearCluster(place.cluster, log)
        server = await launchServer(place, log, stopping.signal)
        log.info({}, 'The embedded database is running again')
        watch(server)
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        log.error(
          { error: (error as Error).message, waitMilliseconds },
          'The embedded database could not be restarted; retrying'
        )
      }
    }
  }

  watch(server)
  return async () => {
    stopping.abort()
    await revival
    await stopSupervised(server.guarded)
  }
}

async function inFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof EmbeddedError ? error : folderFailure(error, dataDir)
  }
}
