import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTurn } from '../../lib/background-turn.ts'
import { makeWakeSignal } from '../../lib/wake-signal.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import type { Log } from '../../platform/log.ts'
import { type Db, prepared, transaction } from '../db.ts'
import { eventsBetween } from './choose-events.ts'
import type { DeskEvent } from './event.ts'
import type { EventTail } from './tail.ts'

/** Something that follows the event log at its own pace, with a place in it: a row of `event_readers`, which a migration inserts. */
export type LogReader = BatchReader | SteppingReader

interface Reader {
  name: string
  /** Called after events were handled and committed. */
  handled?(): void
}

/** A reader that handles many events in one transaction. */
export interface BatchReader extends Reader {
  /**
   * Handles the next events, which come in order. What it writes with `db` is committed together with the reader's place, and so happens once.
   * After a failure it gets the same events again, so anything else that it does may happen twice.
   */
  handle(db: Db, events: readonly DeskEvent[]): Promise<void>
}

/** A reader that locks what people work on, and so ends its transaction after each event that needs one. */
export interface SteppingReader extends Reader {
  /**
   * Cuts the next events into steps, which come in order and end with the last of the events. It is asked for the next step when the one before is
   * committed; `db` is in no transaction.
   */
  steps(db: Db, events: readonly DeskEvent[]): AsyncIterable<Step>
}

/** Some events that are handled in one transaction. */
interface Step {
  /** The last of the events. */
  upTo: number
  /**
   * Does what follows from them; what it writes with `db` is committed together with the reader's place, and so happens once. Verbs that are called
   * with `db` are part of the transaction.
   */
  run(db: Db): Promise<void>
}

const batchSize = 200
const pollMilliseconds = 1_000
/** Under constant writes, events are handled together: a batch costs nearly as much for one event as for many. */
const restMilliseconds = 200
const longestPauseMilliseconds = 60_000

/**
 * Follows the log until `signal` is aborted: whenever it has grown, and every second. Any number of processes may follow for the same reader: one
 * of them works at a time. After a failure it tries again, after a second at first and then ever later, up to a minute.
 */
export async function followLog(
  { db, events, log }: { db: Db; events: Pick<EventTail, 'subscribe'>; log: Log },
  reader: LogReader,
  signal: AbortSignal
): Promise<void> {
  const wakeSignal = makeWakeSignal()
  const unsubscribe = events.subscribe(wakeSignal.wake)
  signal.addEventListener('abort', wakeSignal.wake)
  let failures = 0
  while (!signal.aborted) {
    try {
      const hasMore = await inTurn(() => readBatch(db, reader))
      if (failures > 0) log.info({ reader: reader.name }, 'Events are handled again')
      failures = 0
      if (hasMore) continue
    } catch (error) {
      failures++
      if (!signal.aborted) log.warn({ err: error, reader: reader.name }, 'Events are waiting to be handled')
    }
    const rest = failures === 0 ? restMilliseconds : Math.min(1_000 * 2 ** (failures - 1), longestPauseMilliseconds)
    await pause(rest, undefined, { signal }).catch(() => {})
    if (failures === 0) await wakeSignal.wait(pollMilliseconds - restMilliseconds)
  }
  unsubscribe()
}

/**
 * Handles all events that are sequenced by now, at most `mostBatches` batches of them. It waits for the batch that another process is handling,
 * so that the caller sees what follows from its own writes (after `sequence`). A read-only database is left as it is.
 */
export async function catchUpWithLog(
  db: Db,
  reader: LogReader,
  { mostBatches = Number.POSITIVE_INFINITY } = {}
): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch++) if (!(await readBatch(db, reader, { wait: true }))) return
}

/** Handles the next events. Returns whether there are more; false if another process is at it, unless we `wait` for that. */
async function readBatch(db: Db, reader: LogReader, { wait = false } = {}): Promise<boolean> {
  const [progress] = await progressOf(db, { name: reader.name })
  if (!progress) throw new Error(`There is no reader "${reader.name}" of the event log`)
  if (!progress.isBehind) return false
  if ('steps' in reader) return await readSteps(db, reader, { wait })
  const hasMore = await transaction(db, async db => {
    const [state] = await (wait ? lockedPlace : freePlace)(db, { name: reader.name })
    if (!state || state.place >= state.newest) return false
    const events = await eventsBetween(db, {
      after: state.place,
      upTo: state.newest,
      limit: batchSize,
      kinds: undefined
    })
    const isLast = events.length < batchSize
    if (events.length > 0) await reader.handle(db, events)
    // Some positions have no event any more.
    await moveTo(db, { name: reader.name, place: isLast ? state.newest : events.at(-1)!.id })
    return !isLast
  })
  reader.handled?.()
  return hasMore
}

/** The same for a reader that ends its transactions itself. Another process that is at it moves the place, which ends our steps. */
async function readSteps(db: Db, reader: SteppingReader, { wait }: { wait: boolean }): Promise<boolean> {
  const { name } = reader
  const [state] = await currentPlace(db, { name })
  if (!state || state.place >= state.newest) return false
  let { place } = state
  const events = await eventsBetween(db, { after: place, upTo: state.newest, limit: batchSize, kinds: undefined })
  const isLast = events.length < batchSize
  const move = async (to: number, run?: Step['run']) => {
    const isFree = await outerTransaction(db, { isRepeatable: true }, async db => {
      const [now] = await (wait ? lockedPlace : freePlace)(db, { name })
      if (now?.place !== place) return false
      await run?.(db)
      await moveTo(db, { name, place: to })
      return true
    })
    place = to
    return isFree
  }
  for await (const { upTo, run } of reader.steps(db, events)) {
    if (!(await move(upTo, run))) return wait
    reader.handled?.()
  }
  // Some positions have no event any more.
  if (isLast && place < state.newest) await move(state.newest)
  return !isLast
}

// Without a lock, and on a standby too.
const progressOf = prepared((db, p: { name: string }) =>
  db
    .selectFrom(['event_readers', 'event_sequencer'])
    .where('name', '=', p.name)
    .select(sql<boolean>`place < last_place and current_setting('transaction_read_only') = 'off'`.as('isBehind'))
)

const currentPlace = prepared((db, p: { name: string }) => unlockedPlace(db, p))
const freePlace = prepared((db, p: { name: string }) => placeOf(db, p).skipLocked())
const lockedPlace = prepared((db, p: { name: string }) => placeOf(db, p))

function placeOf(db: Db, p: { name: string }) {
  return unlockedPlace(db, p).forUpdate()
}

function unlockedPlace(db: Db, p: { name: string }) {
  return db
    .selectFrom('event_readers')
    .where('name', '=', p.name)
    .select(['place', sql<number>`(select last_place from event_sequencer)`.as('newest')])
}

const moveTo = prepared((db, p: { name: string; place: number }) =>
  db.updateTable('event_readers').where('name', '=', p.name).set({ place: p.place })
)

/** How far each reader is behind the log. */
export interface ReaderLag {
  name: string
  events: number
  /** When the oldest event that it has not handled happened; null if there is none. */
  oldest: Date | null
}

export const readerLags = prepared(db =>
  db
    .selectFrom(['event_readers', 'event_sequencer'])
    .select(['name', sql<number>`last_place - place`.as('events')])
    .select(({ selectFrom, ref }) =>
      selectFrom('event_places')
        .innerJoin('events', 'events.id', 'event_places.event_id')
        .where('event_places.place', '>', ref('event_readers.place'))
        .select('events.created_at')
        .orderBy('event_places.place')
        .limit(1)
        .as('oldest')
    )
    .orderBy('name')
)
