import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

const program = resolve(import.meta.dirname, '../../bin/deskline.js')

/** A real service in a process of its own. */
export interface Service {
  url: string
  process: ChildProcess
  /** Ends it without a warning, as a power cut would. */
  kill(): Promise<void>
  /** Ends it in order; answers its exit code. */
  stop(): Promise<number | null>
}

/** Starts the service on a data folder and waits until it listens. Throws with its last words when it does not. */
export async function startService(dataDir: string, environment: Record<string, string> = {}): Promise<Service> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const words: string[] = []
  const { promise: url, resolve: found, reject } = Promise.withResolvers<string>()
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface({ input: stream }).on('line', line => {
      words.push(line)
      if (words.length > 20) words.shift()
      const match = /listening on (http:\/\/[^\s"]+)/.exec(line)
      if (match) found(match[1]!)
    })
  }
  child.on('exit', () => reject(new Error(`The service did not start: ${words.join('\n')}`)))
  return {
    url: await url,
    process: child,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    }
  }
}

/** The ids of processes whose command line names this data folder: a database server that outlived its service, say. */
export async function processesOn(dataDir: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(dataDir)) found.push(Number(name))
  }
  return found
}
