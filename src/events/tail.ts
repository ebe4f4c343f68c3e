import type { Db } from '../db.ts'
import type { Log } from '../platform/log.ts'
import type { Bell } from './bell.ts'
import type { DeskEvent } from './event.ts'
import { readEvents } from './read-events.ts'
import { lookAtLog, placeAllWithin, placeSome, type Seal } from './sequencer.ts'

type Listener = (events: readonly DeskEvent[]) => void

/** The log of events as this process follows it: one for each process. */
export interface EventTail {
  /**
   * From now on `listener` is told, once and in their order, of all events behind `newest()`; maybe also of earlier ones. Answers how to
   * end it. It must not throw, nor take its time.
   */
  subscribe(listener: Listener): () => void
  /** Something may have been committed: events get their places within 50 ms, and readers everywhere are told. Costs nothing. */
  poke(): void
  /** The place up to which all listeners have been told. */
  newest(): number
  /** Gives all events that are committed by now their places, and has the audit log told of them. */
  sequence(): Promise<void>
  /** The same within a transaction, which holds up everybody else who does so until it is over. */
  sequenceWithin(db: Db): Promise<void>
}

export interface RunningTail extends EventTail {
  /** Looks once, then goes on by itself. Never throws: where the database is away it goes on when that is back. */
  start(): Promise<void>
  /** Ends when what is under way has ended; what was committed before has its place then, if the database is there. */
  stop(): Promise<void>
}

export interface TailOptions {
  db: Db
  log: Log
  /** Tells the audit log. */
  seal: Seal
  /** How the processes wake one another; without it each looks by itself. */
  bell?: Bell
}

const lookEveryMilliseconds = 500
const lookInTroubleEveryMilliseconds = 1_000
const restMilliseconds = 50
const batch = 500
const readOnly = '25006'

/** Opens nothing, and does nothing before it is started or somebody listens. */
export function openEventTail({ db, log, seal, bell }: TailOptions): RunningTail {
  const listeners = new Set<Listener>()
  const ending = new AbortController()
  let running: Promise<void> | undefined
  let newest = 0
  let isPoked = false
  let isInTrouble = false
  let wake = () => {}

  return {
    subscribe(listener) {
      // So that who subscribes the same function twice is told twice.
      const own: Listener = events => listener(events)
      listeners.add(own)
      running ??= run()
      return () => void listeners.delete(own)
    },
    poke,
    newest: () => newest,
    sequence,
    sequenceWithin: db => placeAllWithin(db, seal),
    async start() {
      await lookSafely()
      running ??= run()
    },
    async stop() {
      ending.abort()
      await running
      await bell?.stop()
    }
  }

  function poke(): void {
    isPoked = true
    wake()
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      isPoked = false
      bell?.listen(place => place > newest && poke())
      await lookSafely()
      await pause(isInTrouble ? lookInTroubleEveryMilliseconds : restMilliseconds)
      if (!isPoked && !isInTrouble) await pause(lookEveryMilliseconds - restMilliseconds, { untilPoked: true })
    }
    if (!isInTrouble) await lookSafely()
  }

  function pause(milliseconds: number, { untilPoked = false } = {}): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (ending.signal.aborted) resolve()
    const timer = setTimeout(resolve, milliseconds).unref()
    const end = () => resolve()
    ending.signal.addEventListener('abort', end)
    if (untilPoked) wake = resolve
    return promise.finally(() => {
      clearTimeout(timer)
      ending.signal.removeEventListener('abort', end)
      wake = () => {}
    })
  }

  /** Says once that it cannot, however long that lasts, and once that it can again. */
  async function lookSafely(): Promise<void> {
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
    const log = await lookAtLog(db)
    const placed = log.isWaiting ? await placeWhatWaits({ wait: false }) : undefined
    await tell(placed ?? log.newest)
  }

  async function sequence(): Promise<void> {
    const { isWaiting } = await lookAtLog(db)
    if (isWaiting) await placeWhatWaits({ wait: true }).catch(unlessReadOnly)
    poke()
  }

  /** Who reads from a database that takes no writes reads what is there. */
  function unlessReadOnly(error: Error): void {
    if (!('code' in error) || error.code !== readOnly) throw error
  }

  /** Answers the newest place, unless somebody else gives places now. */
  async function placeWhatWaits(options: { wait: boolean }): Promise<number | undefined> {
    let placed = 0
    let newest: number | undefined
    for (let hasMore = true; hasMore; ) {
      const pass = await placeSome(db, seal, options)
      // Somebody else is at it, who may have begun too early to see all.
      if (!pass) isPoked = true
      placed += pass?.placed ?? 0
      newest = pass?.newest ?? newest
      hasMore = pass?.hasMore ?? false
    }
    if (placed > 0) await bell?.ring(db)
    return newest
  }

  /** Tells the listeners of all that is new up to `last`. Who begins to listen meanwhile is told from `newest` on. */
  async function tell(last: number): Promise<void> {
    while (newest < last) {
      if (listeners.size === 0) {
        newest = last
        return
      }
      const events = await readEvents(db, { after: newest, limit: batch })
      // Behind the last there may be newer ones by now; before it there may be places that were given up.
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
