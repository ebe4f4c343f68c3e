import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import packageFile from '../package.json' with { type: 'json' }
import { appSecret } from './accounts.ts'
import type { FloorOptions } from './floor.ts'

export const root = join(import.meta.dirname, '..')
/** The options that `npm start` passes to Node.js. */
export const nodeFlags = packageFile.scripts.start.split(' ').filter(word => word.startsWith('--'))

/** The pool size of each server. Three sizes with two servers each share the hundred connections of the embedded database. */
export const connections = 14

/** A server that is measured, in a process of its own. */
export interface Server {
  port: number
  pid: number
  /** The `application_name` of its connections to the database. */
  applicationName: string
  /** Throws if the process has ended. */
  check(): void
  stop(): Promise<void>
}

const startsWithinMilliseconds = 60_000

// Few clients on one network send the requests of thousands, so these rate limits are off.
const unlimitedRates = [
  'SIGNUPS_PER_NETWORK',
  'TICKETS_PER_CLIENT',
  'TICKETS_PER_NETWORK',
  'UPLOADS_PER_CLIENT',
  'UPLOADS_PER_NETWORK',
  'MAILS_PER_SENDER',
  'MAILS_PER_TICKET',
  'MAILS_AN_HOUR'
].map(name => `MAX_${name}`)

/** The secret that signs the e-mails of the bench. */
export const inboundSecret = `whsec_${Buffer.from('the e-mails of the bench').toString('base64')}`

/** The settings of a production service, with limits that are never reached. */
export function environmentOf(dataDir: string, url: string | undefined): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    DESKLINE_ENV_FILE: '',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    DATABASE_POOL: String(connections),
    MAX_FAILURES_PER_ADDRESS: '10000000',
    MAX_WRONG_PASSWORDS: '1000000',
    ...Object.fromEntries(unlimitedRates.map(name => [name, '0'])),
    MAX_FILE_BYTES: String(2 * 1024 ** 3),
    MAIL_INBOUND_SECRET: inboundSecret,
    MAIL_DNS_SERVERS: 'off',
    METRICS_TOKEN: 'the-metrics-of-the-bench-are-no-secret',
    ...(url ? { DATABASE_URL: url } : {})
  }
}

export interface ServeOptions {
  dataDir: string
  /** The database; without a URL the embedded one of the folder. */
  url?: string
  words?: string[]
  /** The checkout whose program is started. */
  folder?: string
  /** The program and its arguments, if not `deskline serve`. */
  program?: string[]
  /** Settings beside the usual ones. */
  settings?: Record<string, string>
}

/** Starts `deskline serve` and waits until it listens. Its log goes to a file. */
export async function serve({
  dataDir,
  url,
  words = [],
  folder = root,
  program = [join(folder, 'bin/deskline.js'), 'serve'],
  settings = {}
}: ServeOptions): Promise<Server> {
  await mkdir(dataDir, { recursive: true })
  const logPath = join(dataDir, 'bench.log')
  await rm(logPath, { force: true })
  const log = openSync(logPath, 'a')
  const child = spawn(process.execPath, [...nodeFlags, ...program, ...words], {
    env: { ...environmentOf(dataDir, url), ...settings },
    stdio: ['ignore', log, log]
  })
  process.once('exit', () => child.kill('SIGKILL'))
  for (const deadline = Date.now() + startsWithinMilliseconds; ; await pause(5)) {
    const said = await readFile(logPath, 'utf8')
    const port = /listening on http:\/\/[^\s":]+:(\d+)/.exec(said)?.[1]
    if (port) {
      return {
        port: Number(port),
        pid: child.pid!,
        applicationName: 'deskline',
        check: () => checkRuns(child, 'Deskline'),
        stop: () => end(child, 'SIGTERM')
      }
    }
    if (child.exitCode === null && Date.now() < deadline) continue
    child.kill('SIGKILL')
    throw new Error(`Deskline did not start: ${said.slice(-1500)}`)
  }
}

/** Starts the bare server. */
export async function startFloor(options: FloorOptions): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'floor.ts'), { serialization: 'advanced' })
  child.send(options)
  const [{ port }] = await once(child, 'message')
  return {
    port,
    pid: child.pid!,
    applicationName: 'floor',
    check: () => checkRuns(child, 'The floor'),
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    }
  }
}

function checkRuns({ exitCode, signalCode }: ChildProcess, name: string): void {
  if (exitCode !== null || signalCode !== null) {
    throw new Error(`${name} has ended while it was measured: ${signalCode ?? `exit code ${exitCode}`}`)
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
