import { createClient, DesklineError, type PageClient, type PageOptions, type Population } from '@deskline/client'
import { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Whose pages these are: the console is below `/desk`, everything else is the portal. */
export const population: Population = /^\/desk(\/|$)/.test(location.pathname) ? 'staff' : 'client'

/** What the pages do when the session begins, is interrupted or ends: `session.tsx`. */
type SessionHandlers = Required<Pick<PageOptions, 'reauthenticate' | 'onSessionEnd' | 'onSessionBegin'>>
let handlers: SessionHandlers | undefined
const underWay = new Set<{ path: string }>()
let paths = ''
const listeners = new Set<() => void>()

const client = createClient({
  baseUrl: '',
  session: 'cookie',
  population,
  fetch: fetchOnline,
  reauthenticate: async user => (await handlers?.reauthenticate(user)) ?? false,
  onSessionEnd: end => handlers?.onSessionEnd(end),
  onSessionBegin: user => handlers?.onSessionBegin(user)
})

/** The API of the desk whose pages these are. Everything goes through it. What an ended session stops goes on once it is renewed. */
export const desk: PageClient = {
  ...client,
  POST: (path, ...init) => noted(path, () => client.POST(path, ...init)),
  upload: (path, init) => noted(path, () => client.upload(path, init))
}

export const queries = new QueryClient({
  defaultOptions: {
    // The client tries again by itself what may be tried again, and says at once when there is no network.
    queries: { retry: false, staleTime: 10_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' }
  }
})

export function handleSession(given: SessionHandlers): void {
  handlers = given
}

/** The addresses of the calls that have not been answered yet. */
export function usePathsUnderWay(): string[] {
  return useSyncExternalStore(subscribe, () => paths).split(' ')
}

async function noted<Answer>(path: string, call: () => Promise<Answer>): Promise<Answer> {
  const mine = { path }
  underWay.add(mine)
  changed()
  try {
    return await call()
  } finally {
    underWay.delete(mine)
    changed()
  }
}

function changed(): void {
  paths = [...underWay].map(({ path }) => path).join(' ')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Without a network nothing is tried four times: people are told at once. */
async function fetchOnline(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  if (navigator.onLine) return await fetch(input, init)
  throw new DesklineError({ message: 'There is no network', status: 0, reason: 'network_error' })
}
