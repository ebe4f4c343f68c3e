import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { superuser } from '../../src/platform/postgres/cluster.ts'
import { attachEmbedded } from '../../src/platform/postgres/embedded.ts'
import type { Postgres } from '../support/postgres.ts'
import { processesOn } from '../support/processes.ts'
import { eventually } from './eventually.ts'
import { startService } from './service.ts'
import { Skipped } from './skipped.ts'

/** Creates installations on one kind of database. */
export interface InstallationFactory {
  name: 'embedded' | 'served'
  /** A description of its database for the output. */
  description: string
  open(options?: InstallationOptions): Promise<TestInstallation>
  close(): Promise<void>
}

interface InstallationOptions {
  /** Prepares the empty data folder; returns a function that undoes it. */
  prepare?: (dataDir: string) => Promise<() => Promise<void>>
}

/** An installation that one test uses alone. */
export interface TestInstallation {
  dataDir: string
  /** The environment variables of its service, except the address to listen on. */
  environment: Record<string, string>
  /** The last log lines of its services. */
  lastLogLines: string[]
  /** All services that were started. */
  services: Set<ChildProcess>
  /** A connection to look at the rows, independent of the service. */
  connection(): Promise<pg.ClientConfig>
  /** The same with the rights of a superuser. */
  administration(): Promise<pg.ClientConfig>
  /** Kills the database without warning. */
  killDatabase(): Promise<void>
  /** Shuts it down in order, if it is ours. */
  stopDatabase(): Promise<void>
  /** Restarts a killed or stopped database, unless the service does so itself. */
  reviveDatabase(): Promise<void>
  /** Fails if a server process or a connection still exists 60 s after the service has ended. */
  assertNothingLeft(): Promise<void>
  remove(): Promise<void>
}

export function embeddedInstallations(): InstallationFactory {
  let used: Promise<string> | undefined
  return {
    name: 'embedded',
    description: 'the embedded database',
    async open({ prepare } = {}) {
      const { dataDir, remove } = await dataFolder(prepare)
      // The first start takes seconds and is not what is tested, so it is done once and copied.
      used ??= usedFolder()
      await cp(await used, dataDir, { recursive: true, preserveTimestamps: true })
      const connection = () =>
        eventually(30, 'the embedded database', async () => {
          const found = await attachEmbedded(dataDir)
          assert.ok(found, 'runs')
          return found
        })
      return {
        dataDir,
        environment: { DATA_DIR: dataDir },
        lastLogLines: [],
        services: new Set(),
        connection,
        async administration() {
          return { ...(await connection()), user: superuser }
        },
        async killDatabase() {
          const note = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
          const pid = Number.parseInt(note, 10)
          const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
          if (command.trim() === 'postgres') process.kill(pid, 'SIGKILL')
        },
        async stopDatabase() {
          throw new Skipped('the service itself is the one who stops it')
        },
        // The service restarts its embedded database itself.
        async reviveDatabase() {},
        async assertNothingLeft() {
          await eventually(60, 'the end of the processes', async () => assert.deepEqual(await processesOn(dataDir), []))
        },
        remove
      }
    },
    async close() {
      if (used) await rm(await used, { recursive: true, force: true })
    }
  }
}

/** A data folder that has been used before. */
async function usedFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-faults-used-'))
  const service = await startService({ environment: { DATA_DIR: dataDir }, lastLogLines: [], services: new Set() })
  assert.equal(await service.stop(), 0)
  return dataDir
}

/** Installations on a server of our own, or on the server of a URL, which must not be killed. */
export function servedInstallations(where: Postgres | string): InstallationFactory {
  const postgres = typeof where === 'string' ? undefined : where
  const server = typeof where === 'string' ? where : where.url

  return {
    name: 'served',
    description:
      postgres?.version.replace(/^postgres \(PostgreSQL\) (\S+).*/, 'PostgreSQL $1') ?? 'the server of DATABASE_URL',
    async open({ prepare } = {}) {
      const { dataDir, remove } = await dataFolder(prepare)
      const database = `deskline_faults_${randomBytes(6).toString('hex')}`
      await administer(server, `create database ${database}`)
      const own = new URL(server)
      own.pathname = `/${database}`
      return {
        dataDir,
        environment: { DATA_DIR: dataDir, DATABASE_URL: own.href },
        lastLogLines: [],
        services: new Set(),
        connection: async () => ({ connectionString: own.href }),
        administration: async () => ({ connectionString: own.href }),
        async killDatabase() {
          if (!postgres) throw new Skipped('the server of DATABASE_URL is not ours to kill')
          postgres.kill()
        },
        async stopDatabase() {
          if (!postgres) throw new Skipped('the server of DATABASE_URL is not ours to stop')
          await postgres.stop()
        },
        async reviveDatabase() {
          await postgres?.start()
        },
        async assertNothingLeft() {
          await eventually(60, 'the end of processes and connections', async () => {
            assert.deepEqual(await processesOn(dataDir), [])
            const left = `select pid, query from pg_stat_activity where datname = '${database}'`
            assert.deepEqual(await administer(server, left), [])
          })
        },
        async remove() {
          await postgres?.start()
          await administer(server, `drop database ${database} with (force)`)
          await remove()
        }
      }
    },
    async close() {
      await postgres?.remove()
    }
  }
}

async function dataFolder(prepare: InstallationOptions['prepare'] = async () => async () => {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-faults-'))
  const undo = await prepare(dataDir)
  return {
    dataDir,
    async remove() {
      await undo()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  }
}

/** What a query finds in the database of an installation, whose service may be dead. */
export async function rowsOf(installation: TestInstallation, query: string) {
  return await rowsAt(await installation.connection(), query)
}

/** The rows of one statement on a connection of its own. */
export async function administer(connectionString: string, statement: string): Promise<unknown[]> {
  return await rowsAt({ connectionString }, statement)
}

// biome-ignore lint/suspicious/noExplicitAny: each query has rows of its own.
async function rowsAt(connection: pg.ClientConfig, statement: string): Promise<any[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
