import { execFile } from 'node:child_process'
import { access, chown, constants, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { runSupervised, stopSupervised } from '../../src/platform/postgres/process.ts'
import { eventually } from '../faults/eventually.ts'
import { freePort } from './free-port.ts'
import { type Postgres, serverIdentity } from './postgres.ts'

/** A pooler before a server. */
export interface Pooler {
  url: string
  stop(): Promise<void>
}

/** The version of the PgBouncer that is installed, as in 1.21; undefined where none is. */
export async function pgbouncerVersion(): Promise<number | undefined> {
  const program = await pgbouncer()
  if (!program) return undefined
  const { stdout } = await promisify(execFile)(program, ['--version'])
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []
  return Number(major) + Number(minor) / 100
}

async function pgbouncer(): Promise<string | undefined> {
  // Debian keeps it where only root looks.
  for (const folder of [...(process.env.PATH ?? '').split(':'), '/usr/sbin']) {
    const program = join(folder, 'pgbouncer')
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false
    )
    if (isThere) return program
  }
  return undefined
}

export async function startPgbouncer(server: Postgres, settings: Record<string, string>): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-pgbouncer-'))
  const identity = await serverIdentity()
  const port = await freePort()
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    max_client_conn: 300,
    default_pool_size: 60,
    ...settings
  }
  await writeFile(join(folder, 'users'), '"deskline" ""\n')
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=127.0.0.1 port=${new URL(server.url).port}\n[pgbouncer]\n${Object.entries(lines)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`
  )
  for (const name of ['', 'users', 'pgbouncer.ini']) await chown(join(folder, name), identity.owner, identity.group)

  const said: string[] = []
  const command = [(await pgbouncer())!, join(folder, 'pgbouncer.ini')]
  const running = runSupervised(identity, command, line => said.push(line))
  const url = `postgres://deskline@127.0.0.1:${port}/postgres`
  const stop = async () => {
    await stopSupervised(running)
    await rm(folder, { recursive: true, force: true })
  }
  await eventually(60, 'PgBouncer', async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    await client.end()
  }).catch(async error => {
    await stop()
    throw new Error(said.join('\n'), { cause: error })
  })
  return { url, stop }
}
