import { createClient, type DesklineClient, DesklineError, type Population } from '@deskline/client'
import { QueryClient } from '@tanstack/react-query'

/** Whose pages these are: the console is below `/desk`, everything else is the portal. */
export const population: Population = /^\/desk(\/|$)/.test(location.pathname) ? 'staff' : 'client'

const client = createClient({ baseUrl: '', fetch: fetchOnline })

/** Waits until somebody has signed in again; rejects when they went elsewhere. Set by the session. */
let signInAgain: ((path: string) => Promise<void>) | undefined

/** The API of the desk whose pages these are. Everything goes through it. What an ended session stops goes on once it is renewed. */
export const desk: DesklineClient = {
  ...client,
  POST: (path, ...init) => kept(path, () => client.POST(path, ...init)),
  upload: (path, init) => kept(path, () => client.upload(path, init))
}

export const queries = new QueryClient({
  defaultOptions: {
    // The client tries again by itself what may be tried again, and says at once when there is no network.
    queries: { retry: false, staleTime: 10_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' }
  }
})

export function whenSessionEnds(handler: typeof signInAgain): void {
  signInAgain = handler
}

async function kept<Answer>(path: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    const hasEnded = error instanceof DesklineError && error.status === 401 && error.reason === 'unauthenticated'
    if (!hasEnded || !signInAgain) throw error
    await signInAgain(path)
    return await call()
  }
}

/** Without a network nothing is tried four times: people are told at once. */
async function fetchOnline(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  if (navigator.onLine) return await fetch(input, init)
  throw new DesklineError({ message: 'There is no network', status: 0, reason: 'network_error' })
}
