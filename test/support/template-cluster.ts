import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { migrations } from '../../migrations/index.ts'
import { openJobs } from '../../src/core/jobs.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'

const quiet = { info() {}, warn() {}, error() {} }

/** The environment variable that names the cluster of a run, where there is one. */
const variable = 'TEST_CLUSTER'

/** The database of the embedded server. */
export const embeddedDatabase = 'deskline'

/**
 * Puts a database server that has been used before into a data folder, as far as the run has one, with an empty desk of the newest
 * schema: to make a new one takes most of three seconds, and is no part of what most tests are about.
 */
export async function copyTemplateCluster(dataDir: string): Promise<void> {
  const cluster = process.env[variable]
  if (!cluster) return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await promisify(execFile)('cp', ['-a', cluster, dataDir])
}

/** Makes the cluster of a run below its folder; answers the environment of the processes that run tests. */
export async function makeTemplateCluster(folder: string): Promise<NodeJS.ProcessEnv> {
  const dataDir = join(folder, 'used')
  await mkdir(dataDir)
  const server = await startEmbedded({ dataDir, log: quiet, durable: false })
  const { connection } = server
  const { db, close } = openDatabase({
    connection,
    maxConnections: 1,
    statementTimeoutMilliseconds: 0,
    connectTimeoutMilliseconds: 20_000,
    onIdleError() {}
  })
  await migrate(db, migrations)
  await close()
  await openJobs({ connection, log: pino({ level: 'silent' }) }).install()
  await server.stop()
  return { [variable]: join(dataDir, 'postgres') }
}
