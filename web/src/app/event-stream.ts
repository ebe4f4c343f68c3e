import type { Presence, StreamedEvent } from '@deskline/client'
import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { apiClient } from './api-client.ts'

type Kind = StreamedEvent['kind']
type Listener = { kinds: readonly string[] | undefined; handle: (event: StreamedEvent) => void }

const listeners = new Set<Listener>()
let streamAbort: AbortController | undefined

/** Live events of these kinds, or of all. One stream serves the whole tab. */
export function useLiveEvents<K extends Kind>(
  kinds: readonly K[] | undefined,
  handler: (event: Extract<StreamedEvent, { kind: K }>) => void
): void {
  const latest = useRef(handler)
  latest.current = handler
  const wanted = kinds?.join(' ')
  useEffect(() => {
    const listener: Listener = {
      kinds: wanted?.split(' '),
      handle: event => latest.current(event as Extract<StreamedEvent, { kind: K }>)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [wanted])
}

type Presences = ReadonlyMap<number, Presence['staff']>

const presences = createStore<Presences>(new Map())

/** Presence at tickets, including one's own. The stream sends it once at its beginning, so it is kept here for later readers. */
export function usePresences(): Presences {
  return useStore(presences)
}

function storePresence({ ticket_id, staff }: Presence): void {
  const others = [...presences.get()].filter(([ticket]) => ticket !== ticket_id)
  presences.set(new Map(staff.length > 0 ? [...others, [ticket_id, staff]] : others))
}

/** Opens the stream for the signed-in person. The client reconnects by itself. */
export function startEventStream(population: 'client' | 'staff'): void {
  stopEventStream()
  streamAbort = new AbortController()
  void listen(population, streamAbort.signal)
}

/** Ends the stream. What it has told of presence belongs to the person who was signed in. */
export function stopEventStream(): void {
  streamAbort?.abort()
  streamAbort = undefined
  presences.set(new Map())
}

async function listen(population: 'client' | 'staff', signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of apiClient.stream({ population, signal })) dispatch(event)
    } catch {
      // The session may have ended, or the service is down. It is retried once online, or after a while.
      await untilOnlineOrTimeout(signal)
    }
  }
}

function dispatch(event: StreamedEvent): void {
  if (event.kind === 'presence') storePresence(event)
  for (const { kinds, handle } of listeners) if (!kinds || kinds.includes(event.kind)) handle(event)
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
