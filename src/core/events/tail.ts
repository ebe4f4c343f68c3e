import type { Log } from '../../platform/log.ts'
import type { Db } from '../db.ts'
import type { DeskEvent } from './event.ts'
import type { EventChannel } from './event-channel.ts'
import { readEvents } from './read-events.ts'
import { logStatus, type Seal, sequenceAllWithin, sequenceBatch } from './sequencer.ts'

type Listener = (events: readonly DeskEvent[]) => void

/** Follows the event log, like `tail -f`: one for each process. */
export interface EventTail {
  /**
   * Subscribes: from now on `listener` gets all events after `newest()` once and in order, maybe also earlier ones. Returns the function that
   * unsubscribes. The listener must be fast and must not throw.
   */
  subscribe(listener: Listener): () => void
  /** Signals that something may have been committed: within 50 ms new events are sequenced, and readers in all processes notified. Cheap. */
  wakeUp(): void
  /** The position up to which all listeners have received events. */
  newest(): number
  /** Sequences all events that are committed by now, and appends them to the audit log. */
  sequence(): Promise<void>
  /** The same within the given transaction, which blocks all others that do so until it ends. */
  sequenceWithin(db: Db): Promise<void>
}

export interface RunningTail extends EventTail {
  /** Polls once, then continues in the background. Never throws: if the database is unreachable, it continues when that is back. */
  start(): Promise<void>
  /** Stops after the current pass; events committed before are sequenced then, if the database is reachable. */
  stop(): Promise<void>
}

export interface TailOptions {
  db: Db
  log: Log
  /** Appends to the audit log. */
  seal: Seal
  /** How the processes notify each other; without it each one polls. */
  channel?: EventChannel
}

const pollMilliseconds = 500
const pollAfterErrorMilliseconds = 1_000
const restMilliseconds = 50
const batch = 500
const readOnly = '25006'

/** Opens nothing, and does nothing before `start` or the first listener. */
export function openEventTail({ db, log, seal, channel }: TailOptions): RunningTail {
  const listeners = new Set<Listener>()
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let newest = 0
  let isWoken = false
  let isInTrouble = false
  let wake = () => {}

  return {
    subscribe(listener) {
      // So that a function that is subscribed twice is called twice.
      const own: Listener = events => listener(events)
      listeners.add(own)
      running ??= run()
      return () => void listeners.delete(own)
    },
    wakeUp,
    newest: () => newest,
    sequence,
    sequenceWithin: db => sequenceAllWithin(db, seal),
    async start() {
      await pollSafely()
      running ??= run()
    },
    async stop() {
      ending.abort()
      await running
      await channel?.stop()
    }
  }

  function wakeUp(): void {
    isWoken = true
    wake()
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      isWoken = false
      channel?.listen(place => place > newest && wakeUp())
      await pollSafely()
      await pause(isInTrouble ? pollAfterErrorMilliseconds : restMilliseconds)
      if (!isWoken && !isInTrouble) await pause(pollMilliseconds - restMilliseconds, { untilWoken: true })
    }
    if (!isInTrouble) await pollSafely()
  }

  function pause(milliseconds: number, { untilWoken = false } = {}): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (ending.signal.aborted) resolve()
    const timer = setTimeout(resolve, milliseconds).unref()
    const end = () => resolve()
    ending.signal.addEventListener('abort', end)
    if (untilWoken) wake = resolve
    return promise.finally(() => {
      clearTimeout(timer)
      ending.signal.removeEventListener('abort', end)
      wake = () => {}
    })
  }

  /** Logs the failure once, however long it lasts, and the recovery once. */
  async function pollSafely(): Promise<void> {
    try {
      await look()
      if (isInTrouble) log.info('The event log is readable again')
      isInTrouble = false
    } catch (error) {
      if (!isInTrouble) log.warn({ err: error }, 'The event log cannot be read; retrying')
      isInTrouble = true
    }
  }

  async function look(): Promise<void> {
    const log = await logStatus(db)
    const placed = log.isWaiting ? await sequencePending({ wait: false }) : undefined
    await tell(placed ?? log.newest)
  }

  async function sequence(): Promise<void> {
    const { isWaiting } = await logStatus(db)
    if (isWaiting) await sequencePending({ wait: true }).catch(unlessReadOnly)
    wakeUp()
  }

  /** On a read-only database (standby), reads the events that are sequenced already. */
  function unlessReadOnly(error: Error): void {
    if (!('code' in error) || error.code !== readOnly) throw error
  }

  /** Returns the newest position, unless another process is sequencing now. */
  async function sequencePending(options: { wait: boolean }): Promise<number | undefined> {
    let placed = 0
    let newest: number | undefined
    for (let hasMore = true; hasMore; ) {
      const pass = await sequenceBatch(db, seal, options)
      // Another process is sequencing, and may have started too early to see all events.
      if (!pass) isWoken = true
      placed += pass?.placed ?? 0
      newest = pass?.newest ?? newest
      hasMore = pass?.hasMore ?? false
    }
    if (placed > 0) await channel?.notify(db)
    return newest
  }

  /** Passes all new events up to `last` to the listeners. A listener that subscribes meanwhile gets those after `newest`. */
  async function tell(last: number): Promise<void> {
    while (newest < last) {
      if (listeners.size === 0) {
        newest = last
        return
      }
      const events = await readEvents(db, { after: newest, limit: batch })
      // The last event may be newer than `last` by now. If there is none, the remaining positions have no event any more.
      newest = events.at(-1)?.id ?? last
      for (const listener of events.length > 0 ? listeners : []) notify(listener, events)
    }
  }

  function notify(listener: Listener, events: readonly DeskEvent[]): void {
    try {
      listener(events)
    } catch (error) {
      log.error({ err: error }, 'A reader of events has failed')
    }
  }
}
