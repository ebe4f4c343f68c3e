import {
  type BodyOf,
  type CallOptions,
  createClient,
  type DataOf,
  DesklineError,
  type Files,
  type PageClient,
  type PageOptions,
  type Population,
  type PostPath,
  type Progress
} from '@deskline/client'
import { QueryClient } from '@tanstack/react-query'
import { createStore, useStore } from '../lib/store.ts'

/** The users of these pages: the console is below `/desk`, everything else is the portal. */
export const population: Population = /^\/desk(\/|$)/.test(location.pathname) ? 'staff' : 'client'

/** The callbacks for when the session begins, is interrupted or ends: `session.ts`. */
type SessionHandlers = Required<Pick<PageOptions, 'reauthenticate' | 'onSessionEnd' | 'onSessionBegin'>>
let handlers: SessionHandlers | undefined
const runningCalls = createStore<readonly { path: string }[]>([])

const client: PageClient = createClient({
  baseUrl: '',
  session: 'cookie',
  population,
  fetch: fetchOnline,
  reauthenticate: async user => (await handlers?.reauthenticate(user)) ?? false,
  onSessionEnd: end => handlers?.onSessionEnd(end),
  onSessionBegin: user => handlers?.onSessionBegin(user)
})

/** The session in this browser and the stream of events. Endpoints are called by `post`. */
export const apiClient: Pick<PageClient, 'signIn' | 'verifyTwoFactor' | 'signOut' | 'user' | 'stream'> = client

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

interface PostOptions extends CallOptions {
  /** The body is sent as a form then. */
  files?: Files | undefined
  onProgress?: (progress: Progress) => void
}

type PostArguments<P extends PostPath> =
  Record<never, never> extends BodyOf<P>
    ? [body?: BodyOf<P> | undefined, options?: PostOptions]
    : [body: BodyOf<P>, options?: PostOptions]

/** Calls an endpoint. Resolves to the data of its response. A call that an ended session interrupts continues once that is renewed. */
export async function post<P extends PostPath>(path: P, ...[body, options = {}]: PostArguments<P>): Promise<DataOf<P>> {
  const { files, ...init } = options
  const call = { path }
  runningCalls.set([...runningCalls.get(), call])
  try {
    const { data } = files
      ? await (client.upload as Send)(path, { ...init, files, fields: body })
      : await (client.POST as Send)(path, { ...init, body: body ?? {} })
    return data as DataOf<P>
  } finally {
    runningCalls.set(runningCalls.get().filter(other => other !== call))
  }
}

/** The client's types of a path that is not known yet are too many for the compiler. */
type Send = (path: string, init: object) => Promise<{ data: unknown }>

/** While offline, calls fail at once instead of being retried four times. */
async function fetchOnline(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  if (navigator.onLine) return await fetch(input, init)
  throw new DesklineError({ message: 'There is no network', status: 0, reason: 'network_error' })
}
