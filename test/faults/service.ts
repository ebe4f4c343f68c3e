import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestInstallation } from './installations.ts'

const program = resolve(import.meta.dirname, '../../bin/deskline.js')
const startsWithinMilliseconds = 60_000
const linesKept = 30

/** A real service in a process of its own. */
export interface Service {
  url: string
  process: ChildProcess
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>
  /** Kills it without warning, as a power failure would. */
  kill(): Promise<void>
  /** Shuts it down in order; returns its exit code. */
  stop(): Promise<number | NodeJS.Signals | null>
}

/** The tests request more e-mails than the limit allows. */
const withoutEmailLimit = { MAX_RESET_MAILS: '1000000' }

type ServiceOwner = Pick<TestInstallation, 'environment' | 'lastLogLines' | 'services'>

/** Starts the service of an installation and waits until it listens. Throws an error if it does not. */
export async function startService(
  installation: ServiceOwner,
  environment: Record<string, string> = {},
  { workers }: { workers?: number } = {}
): Promise<Service> {
  const child = run(installation, environment, workers ? ['--workers', String(workers)] : [])
  const ended = endOf(child)
  installation.services.add(child)
  const { promise: url, resolve: found, reject } = Promise.withResolvers<string>()
  const late = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new Error('The service did not listen in time'))
  }, startsWithinMilliseconds)
  eachLine(child, line => {
    if (!line.includes('"msg":"answered"')) installation.lastLogLines.push(line.slice(0, 400))
    if (installation.lastLogLines.length > linesKept) installation.lastLogLines.shift()
    const match = /listening on (http:\/\/[^\s"]+)/.exec(line)
    if (match) found(match[1]!)
  })
  ended.then(how => reject(new Error(`The service did not start (${how})`)))
  try {
    return {
      url: await url,
      process: child,
      ended,
      kill: () => end('SIGKILL').then(() => {}),
      stop: () => end('SIGTERM')
    }
  } finally {
    clearTimeout(late)
  }

  function end(signal: NodeJS.Signals) {
    child.kill(signal)
    return ended
  }
}

/**
 * Starts a service that should refuse to start; returns what it wrote except its log, how it ended, and after which time. If it
 * listens instead it is killed at once, and `how` is "listening".
 */
export async function startRefused(installation: ServiceOwner, environment: Record<string, string> = {}) {
  const startedAt = Date.now()
  const child = run(installation, environment)
  const ended = endOf(child)
  installation.services.add(child)
  const late = setTimeout(() => child.kill('SIGKILL'), startsWithinMilliseconds)
  const sentences: string[] = []
  let isListening = false
  eachLine(child, line => {
    if (!line.startsWith('{')) sentences.push(line)
    if (!/listening on http/.test(line)) return
    isListening = true
    child.kill('SIGKILL')
  })
  const how = await ended
  clearTimeout(late)
  return { how: isListening ? ('listening' as const) : how, sentences, seconds: (Date.now() - startedAt) / 1000 }
}

function run(
  { environment: ofSite }: ServiceOwner,
  environment: Record<string, string>,
  words: string[] = []
): ChildProcess {
  return spawn(process.execPath, [program, 'serve', ...words], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      DESKLINE_ENV_FILE: '',
      PORT: '0',
      HOST: '127.0.0.1',
      ...withoutEmailLimit,
      ...ofSite,
      ...environment
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
}

function eachLine(child: ChildProcess, hear: (line: string) => void): void {
  for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', hear)
}

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return code ?? signal
}
