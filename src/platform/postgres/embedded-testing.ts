import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { type EmbeddedConnection, startEmbedded } from './embedded.ts'
import { processesOf } from './process.ts'

/** A log for tests that do not check it. */
export const quiet = { info() {}, warn() {}, error() {} }

const endings = new WeakMap<TestContext, (() => Promise<void>)[]>()

/** Runs at the end of the test, in reverse order: a folder is removed after the server in it has stopped. */
export function atEnd(t: TestContext, ending: () => Promise<void>) {
  const list = endings.get(t)
  if (list) return list.unshift(ending)
  const first = [ending]
  endings.set(t, first)
  t.after(async () => {
    for (const each of first) await each()
  })
}

/** An empty folder that is removed after the test. */
export async function aFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'embedded-test-')))
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 }))
  return folder
}

/** A server that is stopped after the test. */
export async function started(t: TestContext, dataDir: string) {
  const server = await startEmbedded({ dataDir, log: quiet })
  atEnd(t, server.stop)
  return server
}

/** The rows of one query on a new connection. */
export async function query(connection: EmbeddedConnection, text: string) {
  const client = new Client({ ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Retries until it succeeds; after the given time its last error fails the test. */
export async function eventually<T>(seconds: number, attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + seconds * 1000; ; await pause(20)) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

export async function nothingRunsOn(dataDir: string) {
  await eventually(60, async () => assert.deepEqual(await processesOf(join(dataDir, 'postgres')), []))
}

const starter = `
  const { startEmbedded } = await import(process.argv[1])
  const log = { info() {}, warn() {}, error() {} }
  await startEmbedded({ dataDir: process.argv[2], log }).then(() => console.log('ready'), error => console.log(error.message))
  setInterval(() => {}, 1000)`

/** Another process that starts a server, prints the result (`word`), and runs until it is killed. */
export function aStarter(t: TestContext, dataDir: string, env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const words = ['--input-type=module', '-e', starter, join(import.meta.dirname, 'embedded.ts'), dataDir]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env, cwd: '/' })
  atEnd(t, () => killed(child))
  return child
}

/** 'ready', or the error message. */
export async function firstWordOf(child: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: child.stdout! }), 'line')
  return line
}

export async function killed(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
