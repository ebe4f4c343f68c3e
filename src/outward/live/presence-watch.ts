import type { Services } from '../../core/services.ts'
import { staffActorsOf } from '../../core/sessions/session-of.ts'
import { loadTickets } from '../../tickets/ticket/visible-in-memory.ts'
import { type Listener, sendArticlePresence, sendPresence, wantsPresence } from './listeners.ts'
import { type PresenceNow, presenceNow } from './presence.ts'
import { mayStreamEvents } from './readers.ts'

interface PresenceWatch {
  /** Checks at once: somebody has reported their presence or begun to listen in this process. */
  wakeUp(): void
}

/** How soon presence reported to other processes is noticed, at the latest. */
const pollMilliseconds = 1_000

/**
 * Watches presence while anybody listens, and sends changes to those who see the ticket or the article, or all of it to a new listener. One check at a time, so
 * that nobody receives older presence after newer.
 */
export function watchPresence({ db, log }: Services, listeners: ReadonlySet<Listener>): PresenceWatch {
  let known: PresenceNow = { tickets: new Map(), articles: new Map() }
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
    const present = await presenceNow(db)
    const changed = {
      tickets: changes(known.tickets, present.tickets),
      articles: changes(known.articles, present.articles)
    }
    const isAnybodyHere = present.tickets.size + present.articles.size > 0
    const hasPresenceToSend = told.some(({ hasPresence }) => !hasPresence) && isAnybodyHere
    if (changed.tickets.length + changed.articles.length > 0 || hasPresenceToSend) await tell(told, present, changed)
    for (const listener of told) listener.hasPresence = true
    known = present
  }

  async function tell(told: readonly Listener[], present: PresenceNow, changed: Changed): Promise<void> {
    const [tickets, actors] = await Promise.all([
      loadTickets(db, [...new Set([...changed.tickets, ...present.tickets.keys()])]),
      staffActorsOf(
        db,
        told.map(({ session }) => session)
      )
    ])
    for (const listener of told) {
      const actor = actors.get(listener.session)
      if (!actor || !mayStreamEvents(actor)) listener.stream.end()
      else {
        const { hasPresence } = listener
        for (const id of hasPresence ? changed.tickets : present.tickets.keys())
          sendPresence(listener, actor, present.tickets.get(id) ?? { ticket_id: id, staff: [] }, tickets)
        for (const id of hasPresence ? changed.articles : present.articles.keys())
          sendArticlePresence(listener, present.articles.get(id) ?? { article_id: id, staff: [] })
      }
    }
  }
}

interface Changed {
  tickets: readonly number[]
  articles: readonly number[]
}

function changes(known: ReadonlyMap<number, unknown>, present: ReadonlyMap<number, unknown>): number[] {
  const ids = new Set([...known.keys(), ...present.keys()])
  return [...ids].filter(id => JSON.stringify(known.get(id)) !== JSON.stringify(present.get(id)))
}
