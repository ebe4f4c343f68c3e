import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadCommand, LoadResult } from './load-generator.ts'

/** The load generator, in a process of its own. */
export interface LoadProcess {
  pid: number
  /** Stores requests under a name. */
  prepare(set: string, requests: Buffer[]): Promise<void>
  send(order: Extract<LoadCommand, { port: number }>): Promise<LoadResult>
  stop(): void
}

export function startLoad(): LoadProcess {
  const child = fork(join(import.meta.dirname, 'load-generator.ts'), { serialization: 'advanced' })
  return {
    pid: child.pid!,
    prepare: async (set, requests) => void (await ask(child, { set, requests })),
    send: async order => (await ask(child, order)) as LoadResult,
    stop: () => child.disconnect()
  }
}

async function ask(child: ChildProcess, order: LoadCommand): Promise<unknown> {
  child.send(order)
  const [answer] = await once(child, 'message')
  return answer
}
