import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../platform/log.ts'
import type { StopRequest } from '../running.ts'
import { type Message, placeVariable } from './messages.ts'

const firstWaitMilliseconds = 100
const longestWaitMilliseconds = 10_000
const tellAgainMilliseconds = 100
/** A worker that lived this long did not die because of its start. */
const settledMilliseconds = 60_000

export interface Workers {
  /** How many accept requests. */
  listening(): number
  /** How many have died and were restarted. */
  restarts(): number
  /** Resolves when each accepts requests, or when a stop is requested. */
  started: Promise<unknown>
  /** Stops them in order, and kills those that do not end in time. */
  stop(withinMilliseconds: number): Promise<void>
}

/**
 * Keeps `count` worker processes running until a stop: one that dies is restarted, each time a little later. If not even the first one starts, a
 * stop is requested: the worker has logged why.
 */
export function keepWorkers(count: number, log: Log, end: StopRequest): Workers {
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

  /** Starts a worker and returns how it ended. */
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
          // A worker that has just died needs no message.
          if (worker.isConnected()) worker.send({ type: 'deskline:stop' } satisfies Message, () => {})
        }
      }
      tell()
      // A worker that is still starting may miss the message.
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
