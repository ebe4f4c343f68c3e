import { type ArticlePresence, DesklineError, type Presence, type StreamedEvent } from '@deskline/client'
import { useEffect, useRef } from 'react'
import { reloadEarlyAnswers } from '../client/early-requests.ts'
import { electTab } from '../lib/elect-tab.ts'
import { createStore, useStore } from '../lib/store.ts'
import { apiClient, queryClient } from './api-client.ts'

type Listener = (event: StreamedEvent) => void

/** What the tab that has the stream tells all tabs. `position` is the id of the last event. */
type Told =
  | { kind: 'greeting'; position: number | undefined; present: [Place, Staff][] }
  | { kind: 'opened'; position: number; isResumed: boolean }
  | { kind: 'event'; event: StreamedEvent }
  | { kind: 'session interrupted' }

const listeners = new Set<Listener>()
const openListeners = new Set<() => void>()
let stop = () => {}
let tellTabs: ((told: Told) => void) | undefined
let position: number | undefined

/** Calls `handler` with each live event. One stream serves all tabs of the browser. */
export function useLiveEvents(handler: Listener): void {
  const latest = useRef(handler)
  latest.current = handler
  useEffect(() => {
    const listener: Listener = event => latest.current(event)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
}

/** Calls `opened` whenever the stream is connected, also by another tab: the service may have forgotten who is present. */
export function onStreamOpened(opened: () => void): () => void {
  openListeners.add(opened)
  return () => openListeners.delete(opened)
}

/** The id of a ticket, or an article. */
export type Place = number | `article ${number}`
type Staff = (Presence | ArticlePresence)['staff']
export type PresentColleague = Staff[number]
type Presences = ReadonlyMap<Place, Staff>

const presences = createStore<Presences>(new Map())

/** Presence at tickets and articles, including one's own. The stream sends it once at its beginning, so it is kept here for later readers. */
export function usePresences(): Presences {
  return useStore(presences)
}

/** Presence at one of them; undefined where nobody is. */
export function usePresenceAt(place: Place): Staff | undefined {
  return useStore(presences, present => present.get(place))
}

export function presenceAt(place: Place): Staff | undefined {
  return presences.get().get(place)
}

function storePresence(place: Place, staff: Staff): void {
  const others = [...presences.get()].filter(([other]) => other !== place)
  presences.set(new Map(staff.length > 0 ? [...others, [place, staff]] : others))
}

/**
 * Joins the event stream of this person, which one tab of the browser holds for all: a stream for each tab would use up the connections that a
 * browser opens to a server over HTTP/1.1. `onInterrupted` is called when the session has ended in the tab that holds it.
 */
export function startEventStream(population: 'client' | 'staff', id: number, onInterrupted: () => void): void {
  stopEventStream()
  stop = electTab<Told>(`deskline:events:${population}:${id}`, {
    lead: (tell, signal) => lead(population, tell, signal),
    greeting: () => ({
      kind: 'greeting',
      position,
      present: [...presences.get()]
    }),
    hear: told => (told.kind === 'session interrupted' ? onInterrupted() : hear(told))
  })
}

/** Leaves the stream. What it has told of presence belongs to the person who was signed in. */
export function stopEventStream(): void {
  stop()
  stop = () => {}
  position = undefined
  presences.set(new Map())
}

/** The session has ended in this tab. If this one has the stream, the others cannot notice by themselves. */
export function tellInterrupted(): void {
  tellTabs?.({ kind: 'session interrupted' })
}

/** Keeps the stream open until the signal is aborted. The client library resumes after the last event where a connection breaks. */
async function lead(population: 'client' | 'staff', tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  tellTabs = tell
  let isTooOld = false
  while (!signal.aborted) {
    const connection = new AbortController()
    // The client waits longer each time; with the network the stream comes back at once.
    addEventListener('online', () => connection.abort(), { once: true, signal: connection.signal })
    const after: number | undefined = isTooOld ? undefined : position
    let isResumed = after !== undefined
    try {
      const events = apiClient.stream({
        population,
        ...(after !== undefined && { after }),
        signal: AbortSignal.any([signal, connection.signal]),
        onOpen(cursor) {
          tell({ kind: 'opened', position: Number(cursor), isResumed })
          isResumed = true
        }
      })
      for await (const event of events) tell({ kind: 'event', event })
    } catch (error) {
      // The events after it are no longer stored, or the service has been restored from a backup.
      isTooOld = after !== undefined && error instanceof DesklineError && [400, 410].includes(error.status)
      // The session may have ended, or the service is down. It is retried once online, or after a while.
      if (!isTooOld && !connection.signal.aborted) await untilOnlineOrTimeout(signal)
    } finally {
      connection.abort()
    }
  }
  if (tellTabs === tell) tellTabs = undefined
}

function hear(told: Told): void {
  if (told.kind === 'event') dispatch(told.event)
  if (told.kind === 'greeting') {
    catchUp(told.position, false)
    presences.set(new Map(told.present))
  }
  if (told.kind === 'opened') {
    catchUp(told.position, !told.isResumed)
    // The stream now tells all presence again.
    presences.set(new Map())
    for (const opened of openListeners) opened()
  }
}

/** Loads anew what is shown if some events never came: this tab was frozen, or they are no longer stored (`isAfresh`). */
function catchUp(next: number | undefined, isAfresh: boolean): void {
  if (position === undefined) reloadEarlyAnswers(path => void queryClient.invalidateQueries({ queryKey: [path] }))
  const isBehind = position !== undefined && (next ?? 0) > position
  if (isBehind || (isAfresh && position !== undefined)) void queryClient.invalidateQueries()
  if (position === undefined || isBehind || isAfresh) position = next
}

function dispatch(event: StreamedEvent): void {
  if (event.kind === 'presence') storePresence(event.ticket_id, event.staff)
  else if (event.kind === 'article_presence') storePresence(`article ${event.article_id}`, event.staff)
  else if (position !== undefined && event.id <= position) return
  else position = event.id
  for (const listener of listeners) listener(event)
}

function untilOnlineOrTimeout(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const ended = new AbortController()
    const end = () => {
      clearTimeout(timer)
      ended.abort()
      resolve()
    }
    const timer = setTimeout(end, 15_000)
    addEventListener('online', end, { signal: ended.signal })
    signal.addEventListener('abort', end, { signal: ended.signal })
  })
}
