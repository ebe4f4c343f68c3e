import { createClient, DesklineError, type PageClient, type PageOptions, type Population } from '@deskline/client'
import { QueryClient } from '@tanstack/react-query'
import { createStore, useStore } from '../lib/store.ts'

/** The users of these pages: the console is below `/desk`, everything else is the portal. */
export const population: Population = /^\/desk(\/|$)/.test(location.pathname) ? 'staff' : 'client'

/** The callbacks for when the session begins, is interrupted or ends: `session.ts`. */
type SessionHandlers = Required<Pick<PageOptions, 'reauthenticate' | 'onSessionEnd' | 'onSessionBegin'>>
let handlers: SessionHandlers | undefined
const runningCalls = createStore<readonly { path: string }[]>([])

const client = createClient({
  baseUrl: '',
  session: 'cookie',
  population,
  fetch: fetchOnline,
  reauthenticate: async user => (await handlers?.reauthenticate(user)) ?? false,
  onSessionEnd: end => handlers?.onSessionEnd(end),
  onSessionBegin: user => handlers?.onSessionBegin(user)
})

/** The API client of these pages. All calls use it. Calls that an ended session interrupts continue once it is renewed. */
export const apiClient: PageClient = {
  ...client,
  POST: (path, ...init) => tracked(path, () => client.POST(path, ...init)),
  upload: (path, init) => tracked(path, () => client.upload(path, init))
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client itself retries what may be retried, and fails at once while offline.
    queries: { retry: false, staleTime: 10_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' }
  }
})

export function setSessionHandlers(given: SessionHandlers): void {
  handlers = given
}

/** Whether a call to one of these paths is running. */
export function useIsCalling(paths: RegExp): boolean {
  return useStore(runningCalls, calls => calls.some(({ path }) => paths.test(path)))
}

async function tracked<Answer>(path: string, call: () => Promise<Answer>): Promise<Answer> {
  const mine = { path }
  runningCalls.set([...runningCalls.get(), mine])
  try {
    return await call()
  } finally {
    runningCalls.set(runningCalls.get().filter(call => call !== mine))
  }
}

/** While offline nothing is retried four times: people are told at once. */
async function fetchOnline(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  if (navigator.onLine) return await fetch(input, init)
  throw new DesklineError({ message: 'There is no network', status: 0, reason: 'network_error' })
}
