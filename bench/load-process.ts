import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Load, Order } from './load.ts'

/** The process that sends the requests. */
export interface LoadProcess {
  pid: number
  /** Remembers requests under a name. */
  prepare(set: string, requests: Buffer[]): Promise<void>
  send(order: Extract<Order, { port: number }>): Promise<Load>
  stop(): void
}

export function startLoad(): LoadProcess {
  const child = fork(join(import.meta.dirname, 'load.ts'), { serialization: 'advanced' })
  return {
    pid: child.pid!,
    prepare: async (set, requests) => void (await ask(child, { set, requests })),
    send: async order => (await ask(child, order)) as Load,
    stop: () => child.disconnect()
  }
}

async function ask(child: ChildProcess, order: Order): Promise<unknown> {
  child.send(order)
  const [answer] = await once(child, 'message')
  return answer
}
