import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { Identity } from '../../src/platform/postgres/process.ts'
import {
  holdOpen,
  processesOf,
  runSupervised,
  type SupervisedProcess,
  stopSupervised
} from '../../src/platform/postgres/process.ts'
import { freePort } from './free-port.ts'

/** One of Debian's PostgreSQL servers, as an operator would run beside Deskline; it dies with this process. */
export interface Postgres {
  /** Of a superuser, on the loopback network. */
  url: string
  /** As `postgres --version` says it. */
  version: string
  /** Starts it again after `stop` or `kill`, and waits until it answers. */
  start(): Promise<void>
  /** Stops it in order, as far as `signal` is in order. */
  stop(): Promise<void>
  /** Kills it without a warning; its children may take a moment longer. */
  kill(): void
  /** Another server that streams from this one. */
  standby(): Promise<Postgres>
  /** Stops it and takes its folder away. */
  remove(): Promise<void>
}

type MakeCluster = (bin: string, identity: Identity, cluster: string) => Promise<void>

interface PostgresOptions {
  durable?: boolean
  parent?: string
}

const startsWithinMilliseconds = 60_000

/** Where Debian keeps the oldest PostgreSQL that is installed; undefined when there is none. */
async function binaries(): Promise<string | undefined> {
  const majors = (await readdir('/usr/lib/postgresql').catch(() => [])).map(Number).filter(major => major >= 15)
  return majors.length > 0 ? `/usr/lib/postgresql/${Math.min(...majors)}/bin` : undefined
}

/**
 * Starts a new server in a folder of its own below `parent`; undefined where none is installed. `durable` flushes to the
 * disk as a server for real work does.
 */
export async function startPostgres(given: PostgresOptions = {}): Promise<Postgres | undefined> {
  const bin = await binaries()
  return bin ? await startCluster(bin, given, initialise) : undefined

  async function initialise(bin: string, identity: Identity, cluster: string) {
    const sync = given.durable ? [] : ['--no-sync']
    await finish(identity, [join(bin, 'initdb'), '-D', cluster, '-U', 'deskline', ...options, ...sync])
  }
}

async function startCluster(bin: string, given: PostgresOptions, make: MakeCluster): Promise<Postgres> {
  const { durable = false, parent = tmpdir() } = given
  const version = (await promisify(execFile)(join(bin, 'postgres'), ['--version'])).stdout.trim()
  const identity = await serverIdentity()
  const folder = await mkdtemp(join(parent, 'deskline-postgres-'))
  await chown(folder, identity.owner, identity.group)
  const cluster = join(folder, 'data')
  await make(bin, identity, cluster)

  const port = await freePort()
  const url = `postgres://deskline@127.0.0.1:${port}/postgres`
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    `fsync=${durable ? 'on' : 'off'}`,
    `autovacuum=${durable ? 'on' : 'off'}`,
    ...(durable ? [] : ['max_parallel_workers_per_gather=0'])
  ]
  const command = [join(bin, 'postgres'), '-D', cluster, ...settings.flatMap(setting => ['-c', setting])]
  let server: SupervisedProcess | undefined

  async function start() {
    const lines: string[] = []
    for (const deadline = Date.now() + startsWithinMilliseconds; Date.now() < deadline; await pause(30)) {
      // What is left of a killed one keeps the next from starting for a moment.
      if (!server || server.hasEnded()) server = runSupervised(identity, command, line => lines.push(line))
      if (await answers(url)) {
        holdOpen(server, false)
        return
      }
    }
    throw new Error(`${version} does not start: ${lines.slice(-5).join('; ')}`)
  }

  async function stop() {
    if (server) await stopSupervised(server)
  }

  await start()
  return {
    url,
    version,
    start,
    stop,
    kill: () => void server?.child.kill('SIGKILL'),
    standby: () =>
      startCluster(bin, given, (bin, identity, cluster) =>
        finish(identity, [join(bin, 'pg_basebackup'), '-d', url, '-D', cluster, '-R', '--checkpoint=fast', '--no-sync'])
      ),
    async remove() {
      await stop()
      for (const pid of await processesOf(cluster)) process.kill(pid, 'SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  }
}

const options = ['--auth=trust', '--locale=C.UTF-8', '-E', 'UTF8']

/** PostgreSQL refuses root; Debian made a user for it. */
export async function serverIdentity(): Promise<Identity> {
  const [uid, gid] = [process.getuid!(), process.getgid!()]
  if (uid !== 0) return { prefix: [], owner: uid, group: gid }
  const id = async (which: string) => Number((await promisify(execFile)('id', [which, 'postgres'])).stdout)
  const [owner, group] = [await id('-u'), await id('-g')]
  return { prefix: [], uid: owner, gid: group, owner, group }
}

async function finish(identity: Identity, command: string[]): Promise<void> {
  const lines: string[] = []
  const how = await runSupervised(identity, command, line => lines.push(line)).ended
  if (how !== 'code 0') throw new Error(`${command[0]} ended with ${how}: ${lines.slice(-5).join('; ')}`)
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
