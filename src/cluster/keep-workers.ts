import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../platform/log.ts'
import type { End } from '../running.ts'
import { type Message, placeVariable } from './messages.ts'

const firstWaitMilliseconds = 100
const longestWaitMilliseconds = 10_000
const tellAgainMilliseconds = 100
/** Who has lived for so long did not die of its start. */
const settledMilliseconds = 60_000

export interface Workers {
  /** How many take requests. */
  listening(): number
  /** How many have died and were started again. */
  restarts(): number
  /** Resolves when each has begun to take requests, or when the end is asked for. */
  started: Promise<unknown>
  /** Ends them in order, and kills those that have not ended in time. */
  stop(withinMilliseconds: number): Promise<void>
}

/**
 * Keeps `count` processes of this program running until the end: one that dies is started again, each time a little later. When not
 * even the first one comes to take requests, the end is asked for: it has said why.
 */
export function keepWorkers(count: number, log: Log, end: End): Workers {
  const running = new Map<number, { worker: Worker; isListening: boolean }>()
  const first = Promise.withResolvers<void>()
  const all = Promise.withResolvers<void>()
  let isEstablished = false
  let restarts = 0
  const listening = () => [...running.values()].filter(({ isListening }) => isListening).length

  async function keepAll(): Promise<void> {
    const kept = [keep(1)]
    await Promise.race([first.promise, end.reason])
    for (let place = 2; place <= count; place++) kept.push(keep(place))
    await Promise.all(kept)
  }

  async function keep(place: number): Promise<void> {
    let waitMilliseconds = firstWaitMilliseconds
    while (!end.signal.aborted) {
      const startedAt = Date.now()
      const how = await life(place)
      if (end.signal.aborted) return
      if (!isEstablished) return end.begin(1)
      if (Date.now() - startedAt > settledMilliseconds) waitMilliseconds = firstWaitMilliseconds
      restarts++
      log.error({ worker: place, how, waitMilliseconds }, 'A worker died and is restarted')
      await pause(waitMilliseconds, undefined, { signal: end.signal }).catch(() => {})
      waitMilliseconds = Math.min(waitMilliseconds * 2, longestWaitMilliseconds)
    }
  }

  /** Starts a worker and answers how it ended. */
  async function life(place: number): Promise<string> {
    const entry = { worker: cluster.fork({ [placeVariable]: `${place}/${count}` }), isListening: false }
    running.set(place, entry)
    entry.worker.once('listening', () => {
      entry.isListening = true
      isEstablished = true
      first.resolve()
      if (listening() === count) all.resolve()
    })
    try {
      const [code, signal] = await once(entry.worker, 'exit')
      return signal ? `signal ${signal}` : `code ${code}`
    } catch (error) {
      entry.worker.process.kill('SIGKILL')
      return (error as Error).message
    } finally {
      running.delete(place)
    }
  }

  const over = keepAll()
  return {
    listening,
    restarts: () => restarts,
    started: Promise.race([all.promise, end.reason]),
    async stop(withinMilliseconds) {
      const tell = () => {
        for (const { worker } of running.values()) {
          // One that has just died needs not be told.
          if (worker.isConnected()) worker.send({ type: 'deskline:stop' } satisfies Message, () => {})
        }
      }
      tell()
      // What is said to one that is only starting may go unheard.
      const again = setInterval(tell, tellAgainMilliseconds)
      const late = setTimeout(() => {
        log.error('A worker did not stop in time and is killed')
        end.begin(1)
        for (const { worker } of running.values()) worker.process.kill('SIGKILL')
      }, withinMilliseconds)
      await over
      clearInterval(again)
      clearTimeout(late)
    }
  }
}
