import type { Services } from '../../core/services.ts'
import { staffActorsOf } from '../../core/sessions/session-of.ts'
import { loadTickets } from '../../tickets/ticket/visible-in-memory.ts'
import { type Listener, sendPresence, wantsPresence } from './listeners.ts'
import { type PresenceView, presenceByTicket } from './presence.ts'
import { mayStreamEvents } from './readers.ts'

interface PresenceWatch {
  /** Checks at once: somebody has reported their presence or begun to listen in this process. */
  wakeUp(): void
}

/** How soon presence reported to other processes is noticed, at the latest. */
const pollMilliseconds = 1_000

type Presences = ReadonlyMap<number, PresenceView>

/**
 * Watches presence while anybody listens, and sends changes to those who see the ticket, or all of it to a new listener. One check at a time, so
 * that nobody receives older presence after newer.
 */
export function watchPresence({ db, log }: Services, listeners: ReadonlySet<Listener>): PresenceWatch {
  let known: Presences = new Map()
  let isRunning = false
  let isWoken = false
  let wake = () => {}

  return {
    wakeUp() {
      isWoken = true
      wake()
      if (!isRunning && wanting().length > 0) run()
    }
  }

  function wanting(): Listener[] {
    return [...listeners].filter(wantsPresence)
  }

  async function run(): Promise<void> {
    isRunning = true
    while (wanting().length > 0) {
      isWoken = false
      try {
        await look()
      } catch (error) {
        log.warn({ err: error }, 'Presence could not be sent to streams; retrying')
      }
      if (!isWoken || wanting().length === 0) await rest()
    }
    isRunning = false
  }

  function rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, pollMilliseconds).unref()
    wake = resolve
    return promise.finally(() => clearTimeout(timer))
  }

  async function look(): Promise<void> {
    const told = wanting()
    const present = await presenceByTicket(db)
    const changed = changes(known, present)
    const hasPresenceToSend = told.some(({ hasPresence }) => !hasPresence) && present.size > 0
    if (changed.length > 0 || hasPresenceToSend) await tell(told, present, changed)
    for (const listener of told) listener.hasPresence = true
    known = present
  }

  async function tell(told: readonly Listener[], present: Presences, changed: readonly number[]): Promise<void> {
    const [tickets, actors] = await Promise.all([
      loadTickets(db, [...new Set([...changed, ...present.keys()])]),
      staffActorsOf(
        db,
        told.map(({ session }) => session)
      )
    ])
    for (const listener of told) {
      const actor = actors.get(listener.session)
      if (!actor || !mayStreamEvents(actor)) listener.stream.end()
      else {
        const ids = listener.hasPresence ? changed : present.keys()
        for (const id of ids) sendPresence(listener, actor, present.get(id) ?? { ticket_id: id, staff: [] }, tickets)
      }
    }
  }
}

function changes(known: Presences, present: Presences): number[] {
  const ids = new Set([...known.keys(), ...present.keys()])
  return [...ids].filter(id => JSON.stringify(known.get(id)) !== JSON.stringify(present.get(id)))
}
