import type { BodyOf, CallOptions, DataOf, Files, PageClient, PostPath, Progress } from '@deskline/client'
import { QueryClient } from '@tanstack/react-query'
import { client } from '../client/client.ts'
import { takeEarly } from '../client/early-requests.ts'
import { createStore, useStore } from '../lib/store.ts'

const runningCalls = createStore<readonly { path: string }[]>([])

/** The session in this browser and the stream of events. Endpoints are called by `post`. */
export const apiClient: Pick<
  PageClient,
  'signIn' | 'signInWithPasskey' | 'resumeSignIn' | 'verifyTwoFactor' | 'signOut' | 'user' | 'stream'
> = client

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client itself retries what may be retried, and fails at once while offline.
    queries: { retry: false, staleTime: 10_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' }
  }
})

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
      : await (takeEarly(path, body) ?? (client.POST as Send)(path, { ...init, body: body ?? {} }))
    return data as DataOf<P>
  } finally {
    runningCalls.set(runningCalls.get().filter(other => other !== call))
  }
}

/** The client's types of a path that is not known yet are too many for the compiler. */
type Send = (path: string, init: object) => Promise<{ data: unknown }>
