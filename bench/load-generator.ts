// A process that sends requests over keep-alive connections, each as soon as the one before is answered. It was written for the bench
// because it has to leave the CPU to the servers that are measured, and to resolve microseconds.
import { connect, type Socket } from 'node:net'
import { quantile } from './statistics.ts'

/** A command to the process: to store a set of requests under a name, or to send the requests of a set in turn. */
export type LoadCommand =
  | { set: string; requests: Uint8Array[] }
  | { set: string; port: number; concurrency: number; milliseconds: number }

/** The result: how many requests were answered, how fast, and which failures there were. */
export interface LoadResult {
  answered: number
  seconds: number
  p50: number
  p99: number
  slowest: number
  failures: Record<string, number>
  bytes: number
}

const sets = new Map<string, { requests: Buffer[]; turn: number }>()

process.on('message', async (order: LoadCommand) => {
  if ('requests' in order) {
    sets.set(order.set, { requests: order.requests.map(bytes => Buffer.from(bytes)), turn: 0 })
    process.send!({})
    return
  }
  process.send!(await send(order))
})
process.on('disconnect', () => process.exit())

async function send({
  set,
  port,
  concurrency,
  milliseconds
}: Extract<LoadCommand, { port: number }>): Promise<LoadResult> {
  const sent = sets.get(set)!
  const times: number[] = []
  const failures: Record<string, number> = {}
  let bytes = 0
  const begunAt = performance.now()
  const end = begunAt + milliseconds
  await Promise.all(Array.from({ length: concurrency }, () => client()))
  const seconds = (performance.now() - begunAt) / 1000
  const sorted = Float64Array.from(times).sort()
  return {
    answered: times.length,
    seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    slowest: sorted.at(-1) ?? Number.NaN,
    failures,
    bytes
  }

  function client(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let left = -1
    let head = ''
    const next = () => {
      sentAt = performance.now()
      if (sentAt >= end) socket.end()
      else socket.write(sent.requests[sent.turn++ % sent.requests.length]!)
    }
    const finish = () => {
      times.push(performance.now() - sentAt)
      left = -1
      head = ''
      next()
    }
    socket.on('connect', next)
    socket.on('data', chunk => {
      bytes += chunk.length
      if (left < 0) {
        head += chunk.toString('latin1')
        const border = head.indexOf('\r\n\r\n')
        if (border < 0) return
        const status = head.slice(9, 12)
        if (status[0] !== '2') failures[status] = (failures[status] ?? 0) + 1
        const length = /content-length: (\d+)/i.exec(head.slice(0, border))
        left = Number(length?.[1] ?? 0) - (head.length - border - 4)
      } else left -= chunk.length
      if (left <= 0) finish()
    })
    socket.on('error', error => {
      failures[error.message] = (failures[error.message] ?? 0) + 1
    })
    socket.on('close', () => resolve())
    return promise
  }
}
