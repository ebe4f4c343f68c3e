import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../../core/actor.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import type { Services } from '../../core/services.ts'
import { endedClientSessions, staffActorsOf } from '../../core/sessions/session-of.ts'
import { type LoadedTicket, loadTickets } from '../../tickets/ticket/visible-in-memory.ts'
import { ticketsOf } from './event-view.ts'
import { type Listener, sendEvents, type Texts } from './listeners.ts'
import { mayStreamEvents } from './readers.ts'

interface Dispatcher {
  start(): void
  stop(): void
  /** The place up to which live listeners have been sent events, or are about to be. */
  position(): number
}

const batch = 200
const againMilliseconds = 1_000
/** If more events wait, all streams are closed; clients reconnect and read the rest from the log. */
const maxWaiting = 20_000

/**
 * Sends events to live listeners in log order. The listeners' current permissions and the tickets are loaded once per batch, for all listeners
 * together, just before sending.
 */
export function makeDispatcher({ db, events, log }: Services, listeners: ReadonlySet<Listener>): Dispatcher {
  let waiting: DeskEvent[] = []
  let place = 0
  let end = () => {}
  let running: object | undefined

  return {
    position: () => place,
    start() {
      waiting = []
      const unsubscribe = events.subscribe(fresh => {
        waiting.push(...fresh.filter(({ id }) => id > (waiting.at(-1)?.id ?? place)))
        if (waiting.length > maxWaiting) dropAll()
        if (!running) run()
      })
      place = events.newest()
      end = unsubscribe
    },
    stop() {
      end()
      waiting = []
      running = undefined
    }
  }

  function dropAll(): void {
    log.warn('Too many events are waiting: all event streams are closed')
    place = waiting.at(-1)!.id
    waiting = []
    running = undefined
    for (const { stream } of listeners) stream.end()
  }

  async function run(): Promise<void> {
    const own = {}
    running = own
    while (running === own && waiting.length > 0) {
      const next = waiting.slice(0, batch)
      // From here on a listener that catches up reads these events from the log.
      place = next.at(-1)!.id
      const told = [...listeners].filter(({ isLive }) => isLive)
      while (running === own && !(await sendSafely(told, next)))
        await pause(againMilliseconds, undefined, { ref: false })
      if (running === own) waiting = waiting.slice(next.length)
    }
    if (running === own) running = undefined
  }

  async function sendSafely(told: readonly Listener[], next: readonly DeskEvent[]): Promise<boolean> {
    try {
      await tell(told, next)
      return true
    } catch (error) {
      log.warn({ err: error }, 'Events could not be sent to streams; retrying')
      return false
    }
  }

  async function tell(told: readonly Listener[], next: readonly DeskEvent[]): Promise<void> {
    const tickets = await loadTickets(db, ticketsOf(next))
    const staff = told.filter(({ actor }) => actor.population === 'staff')
    const clients = clientsOf(tickets, told)
    const [actors, ended] = await Promise.all([
      staffActorsOf(
        db,
        staff.map(({ session }) => session)
      ),
      endedClientSessions(db, clients)
    ])
    const texts: Texts = new Map()
    const sendAs = (listener: Listener, actor: Actor | undefined) => {
      if (actor && mayStreamEvents(actor)) sendEvents(listener, actor, next, tickets, texts)
      else listener.stream.end()
    }
    for (const listener of staff) sendAs(listener, actors.get(listener.session))
    for (const listener of clients) sendAs(listener, ended.has(listener.session) ? undefined : listener.actor)
  }
}

/** The clients whose tickets these are, and the managers of their organisations. */
function clientsOf(tickets: ReadonlyMap<number, LoadedTicket>, told: readonly Listener[]): Listener[] {
  const all = [...tickets.values()]
  const owners = new Set(all.map(ticket => ticket.client_id))
  const organisations = new Set(all.map(ticket => ticket.organisation_id))
  return told.filter(
    ({ actor }) =>
      actor.population === 'client' &&
      (owners.has(actor.id) ||
        (actor.managedOrganisation !== undefined && organisations.has(actor.managedOrganisation)))
  )
}
