import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuSeconds, processTree } from './process-usage.ts'
import { environmentOf, nodeFlags, root } from './servers.ts'

export interface Start {
  /** The time from the command to the first response. */
  seconds: number
  /** The CPU time that our own process has used by then. */
  cpuSeconds: number
}

const port = 34_871
const withinMilliseconds = 60_000

/** Starts `deskline serve` on a data folder that has a database, waits for the first response, and stops it. */
export async function startToFirstAnswer(dataDir: string, url: string | undefined): Promise<Start> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...nodeFlags, join(root, 'bin/deskline.js'), 'serve'], {
    env: { ...environmentOf(dataDir, url), PORT: String(port) },
    stdio: 'ignore'
  })
  try {
    while (!(await answers())) {
      if (child.exitCode !== null || performance.now() - startedAt > withinMilliseconds) {
        throw new Error(`Deskline did not start on ${dataDir}`)
      }
      await pause(5)
    }
    const seconds = (performance.now() - startedAt) / 1000
    const [own] = await processTree(child.pid!)
    return { seconds, cpuSeconds: await cpuSeconds([own!]) }
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

function answers(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('connect', () => socket.write('POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n'))
  socket.on('data', chunk => {
    resolve(chunk.toString('latin1').startsWith('HTTP/1.1 200'))
    socket.destroy()
  })
  socket.on('error', () => resolve(false))
  socket.on('close', () => resolve(false))
  return promise
}
