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

/** Where installations live whose database is of one kind. */
export interface World {
  name: 'embedded' | 'served'
  /** What its database is, for people. */
  about: string
  open(options?: SiteOptions): Promise<Site>
  close(): Promise<void>
}

interface SiteOptions {
  /** Readies the new data folder before anything lies in it; undone by what it answers. */
  prepare?: (dataDir: string) => Promise<() => Promise<void>>
}

/** One installation of a fault's own. */
export interface Site {
  dataDir: string
  /** What its service has to be told, beyond where to listen. */
  environment: Record<string, string>
  /** The last lines of its services. */
  words: string[]
  /** All that were ever started. */
  services: Set<ChildProcess>
  /** To look at the rows beside the service. */
  connection(): Promise<pg.ClientConfig>
  /** The same as somebody who may do anything with the server. */
  administration(): Promise<pg.ClientConfig>
  /** Kills the database without a warning. */
  killDatabase(): Promise<void>
  /** Stops it in order, where it is ours to stop. */
  stopDatabase(): Promise<void>
  /** Brings a killed or stopped database back where nobody else does. */
  reviveDatabase(): Promise<void>
  /** Fails when a server process, or a connection, has outlived the service by more than 15 s. */
  nothingLeft(): Promise<void>
  remove(): Promise<void>
}

export function embeddedWorld(): World {
  let used: Promise<string> | undefined
  return {
    name: 'embedded',
    about: 'the embedded database',
    async open({ prepare } = {}) {
      const { dataDir, remove } = await dataFolder(prepare)
      // The first start takes seconds, and is no fault's business.
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
        words: [],
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
        // The service does.
        async reviveDatabase() {},
        async nothingLeft() {
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
  const service = await startService({ environment: { DATA_DIR: dataDir }, words: [], services: new Set() })
  assert.equal(await service.stop(), 0)
  return dataDir
}

/** On a server that is ours, or on that of an address, which is not ours to kill. */
export function servedWorld(where: Postgres | string): World {
  const postgres = typeof where === 'string' ? undefined : where
  const server = typeof where === 'string' ? where : where.url

  return {
    name: 'served',
    about:
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
        words: [],
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
        async nothingLeft() {
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

async function dataFolder(prepare: SiteOptions['prepare'] = async () => async () => {}) {
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

/** The rows of one statement on a connection of its own. */
export async function administer(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
