import type { AnswerOf, BodyOf, DataOf, PostPath } from '@deskline/client'
import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { apiClient } from './api-client.ts'

type QueryOptions<P extends PostPath, Chosen> = Omit<UseQueryOptions<DataOf<P>, Error, Chosen>, 'queryKey' | 'queryFn'>

/** The query key of a response. `[path]` alone matches all bodies. */
export function queryKeyOf<P extends PostPath>(path: P, body?: BodyOf<P>) {
  return [path, body ?? {}] as const
}

/** The options of a query: for `queries.prefetchQuery` and `fetchQuery`. */
export function apiQuery<P extends PostPath>(path: P, body?: BodyOf<P>) {
  return {
    queryKey: queryKeyOf(path, body),
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchData(path, body, signal)
  }
}

/** Queries the desk, and caches the response under `[path, body]`. */
export function useApiQuery<P extends PostPath, Chosen = DataOf<P>>(
  path: P,
  body?: BodyOf<P>,
  options: QueryOptions<P, Chosen> = {}
): UseQueryResult<Chosen> {
  return useQuery({ ...options, ...apiQuery(path, body) } as UseQueryOptions<DataOf<P>, Error, Chosen>)
}

/** One write, outside of React. Returns the envelope. */
export async function postToApi<P extends PostPath>(path: P, body: BodyOf<P>): Promise<AnswerOf<P>> {
  return await (apiClient.POST as Post)(path, { body })
}

/** The data of a response, without its envelope. */
export async function fetchData<P extends PostPath>(
  path: P,
  body: BodyOf<P> | undefined,
  signal: AbortSignal
): Promise<DataOf<P>> {
  const answer = await (apiClient.POST as Post)(path, { body: body ?? {}, signal })
  return answer.data
}

// The types of a path that is not known yet are too many to tell one by one: they are the caller's.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Post = (path: string, init: object) => Promise<any>
