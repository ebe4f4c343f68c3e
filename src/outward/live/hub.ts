import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import type { Services } from '../../core/services.ts'
import { endedClientSessions, staffActorsOf } from '../../core/sessions/session-of.ts'
import { makeDispatcher } from './dispatcher.ts'
import { type Listener, sendEventViews } from './listeners.ts'
import { watchPresence } from './presence-watch.ts'
import { mayStreamEvents } from './readers.ts'
import { currentActor, scanEvents } from './scan-events.ts'
import { claimStream, heartbeatMilliseconds, releaseStreams, type StreamRow, sendHeartbeat } from './stream-rows.ts'

/** The streams of one process. */
export interface Hub {
  /** The name under which other processes know this one. */
  readonly process: string
  /** Whether this process accepts one more stream. */
  hasRoom(): boolean
  /** Takes one of the streams that an account may have; false if it has none left. */
  take(row: StreamRow, max: number): Promise<boolean>
  /** Adds a listener; returns the function to call when its stream has ended. */
  add(listener: Listener): () => void
  /** Call it when presence may have changed in this process. */
  presenceChanged(): void
  /** Resolves once all ended streams have been released. */
  allReleased(): Promise<void>
}

/** How often the permissions of all listeners are checked. */
const checkMilliseconds = 2_000
/** How many listeners may catch up from the log at the same time. */
const readersAtOnce = 4
const caughtUpAtOnce = 500

/** Makes the hub of a process, which does nothing while nobody listens. */
export function makeHub(services: Services): Hub {
  const { db, log, config, metrics } = services
  const process = randomUUID()
  const listeners = new Set<Listener>()
  const handOver = makeDispatcher(services, listeners)
  const presence = watchPresence(services, listeners)
  const limit = pLimit(readersAtOnce)
  let shownAt = Number.NEGATIVE_INFINITY
  let taken = 0
  let over: Listener[] = []
  let releasing: Promise<void> | undefined
  let willRetry = false
  let timers: NodeJS.Timeout[] = []

  return {
    process,
    hasRoom: () => taken < config.MAX_EVENT_STREAMS,

    async take(row, max) {
      taken++
      try {
        if (Date.now() - shownAt > heartbeatMilliseconds) await show()
        const isTaken = await claimStream(db, row, max)
        if (!isTaken) taken--
        return isTaken
      } catch (error) {
        taken--
        throw error
      }
    },

    add(listener) {
      if (listeners.size === 0) start()
      listeners.add(listener)
      metrics.eventStreams.set(listeners.size)
      catchUp(listener).catch(error => {
        log.warn({ err: error }, 'An event stream could not catch up and is closed')
        listener.stream.end()
      })
      presence.wakeUp()
      return () => remove(listener)
    },

    presenceChanged: presence.wakeUp,

    async allReleased() {
      while (releasing) await releasing
    }
  }

  function start(): void {
    handOver.start()
    const every = (milliseconds: number, work: () => Promise<void>) =>
      setInterval(
        () => work().catch(error => log.warn({ err: error }, 'Event streams could not be maintained; retrying')),
        milliseconds
      ).unref()
    timers = [every(checkMilliseconds, check), every(heartbeatMilliseconds, show)]
  }

  function stop(): void {
    handOver.stop()
    for (const timer of timers) clearInterval(timer)
  }

  function remove(listener: Listener): void {
    if (!listeners.delete(listener)) return
    taken--
    metrics.eventStreams.set(listeners.size)
    if (listeners.size === 0) stop()
    release([listener])
  }

  function release(ended: readonly Listener[]): void {
    over.push(...ended)
    if (over.length > 0) releasing ??= releaseEnded()
  }

  /** Releases all streams that have ended, in one batch. If that fails, they are released with the next ones, or after a while. */
  async function releaseEnded(): Promise<void> {
    let these: Listener[] = []
    try {
      while (over.length > 0) {
        these = over
        over = []
        const staff = these.filter(({ actor }) => actor.population === 'staff').map(({ actor }) => actor.id)
        await releaseStreams(
          db,
          these.map(({ row }) => row.id),
          [...new Set(staff)]
        )
      }
      presence.wakeUp()
    } catch (error) {
      // Until then they count against the limit of their accounts.
      over.push(...these)
      log.warn({ err: error }, 'Closed event streams could not be released yet; retrying')
      retryLater()
    } finally {
      releasing = undefined
    }
  }

  function retryLater(): void {
    if (willRetry) return
    willRetry = true
    setTimeout(() => {
      willRetry = false
      release([])
    }, heartbeatMilliseconds).unref()
  }

  async function show(): Promise<void> {
    const shown = [...listeners]
    try {
      await sendHeartbeat(
        db,
        process,
        shown.map(({ row }) => row)
      )
      shownAt = Date.now()
    } finally {
      // The row of a stream that has ended meanwhile may have been inserted again.
      release(shown.filter(listener => !listeners.has(listener)))
    }
  }

  /** Ends the streams of listeners that have lost the permission or the session, or manage another organisation by now. */
  async function check(): Promise<void> {
    const all = [...listeners]
    const those = (population: 'client' | 'staff') => all.filter(({ actor }) => actor.population === population)
    const [staff, ended] = await Promise.all([
      staffActorsOf(
        db,
        those('staff').map(({ session }) => session)
      ),
      endedClientSessions(db, those('client'))
    ])
    for (const { actor, session, stream, endsAt } of all) {
      const now = staff.get(session)
      const may = actor.population === 'client' ? !ended.has(session) : now !== undefined && mayStreamEvents(now)
      if (!may || Date.now() > endsAt) stream.end()
    }
  }

  /** Reads the log for a listener until it has caught up with the live ones. */
  async function catchUp(listener: Listener): Promise<void> {
    const { stream, wanted } = listener
    while (!stream.isOver) {
      if (listener.position >= handOver.position()) {
        listener.isLive = true
        return
      }
      await limit(async () => {
        const actor = await currentActor(db, listener)
        if (!actor || !mayStreamEvents(actor)) return stream.end()
        const place = { after: listener.position, limit: caughtUpAtOnce }
        const { events, scannedTo } = await scanEvents(db, actor, wanted, place)
        if (sendEventViews(listener, events)) listener.position = scannedTo
      })
      await stream.taken()
    }
  }
}
