import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Site } from './worlds.ts'

const program = resolve(import.meta.dirname, '../../bin/deskline.js')
const startsWithinMilliseconds = 60_000
const wordsKept = 30

/** A real service in a process of its own. */
export interface Service {
  url: string
  process: ChildProcess
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>
  /** Ends it without a warning, as a power cut would. */
  kill(): Promise<void>
  /** Ends it in order; answers its exit code. */
  stop(): Promise<number | NodeJS.Signals | null>
}

/** Faults ask for more e-mails than anybody would. */
const generous = { MAX_RESET_MAILS: '1000000' }

type Place = Pick<Site, 'environment' | 'words' | 'services'>

/** Starts the service of a site and waits until it listens. Throws with its last words when it does not. */
export async function startService(
  site: Place,
  environment: Record<string, string> = {},
  { workers }: { workers?: number } = {}
): Promise<Service> {
  const child = run(site, environment, workers ? ['--workers', String(workers)] : [])
  const ended = endOf(child)
  site.services.add(child)
  const { promise: url, resolve: found, reject } = Promise.withResolvers<string>()
  const late = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new Error('The service did not listen in time'))
  }, startsWithinMilliseconds)
  eachLine(child, line => {
    if (!line.includes('"msg":"answered"')) site.words.push(line.slice(0, 400))
    if (site.words.length > wordsKept) site.words.shift()
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
 * Starts the service where it ought to refuse; answers what it wrote for people (not its log), how it ended, and when. One that
 * listens instead is killed at once; how it ended is then "listening".
 */
export async function startRefused(site: Place, environment: Record<string, string> = {}) {
  const startedAt = Date.now()
  const child = run(site, environment)
  const ended = endOf(child)
  site.services.add(child)
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

function run({ environment: ofSite }: Place, environment: Record<string, string>, words: string[] = []): ChildProcess {
  return spawn(process.execPath, [program, 'serve', ...words], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      DESKLINE_ENV_FILE: '',
      PORT: '0',
      HOST: '127.0.0.1',
      ...generous,
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
