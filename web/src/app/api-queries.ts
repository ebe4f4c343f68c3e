import type { BodyOf, DataOf, PostPath } from '@deskline/client'
import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { post } from './api-client.ts'

type QueryOptions<P extends PostPath, Chosen> = Omit<UseQueryOptions<DataOf<P>, Error, Chosen>, 'queryKey' | 'queryFn'>

/** The query key of a response. `[path]` alone matches all bodies. */
export function queryKeyOf<P extends PostPath>(path: P, body?: BodyOf<P>) {
  return [path, body ?? {}] as const
}

/** The options of a query: for `queries.prefetchQuery` and `fetchQuery`. */
export function apiQuery<P extends PostPath>(path: P, body?: BodyOf<P>) {
  return {
    queryKey: queryKeyOf(path, body),
    queryFn: ({ signal }: { signal: AbortSignal }) => post(path, body as BodyOf<P>, { signal })
  }
}

/**
 * Of what is edited on a page: others' changes are told of at saving (409), while a newer version would replace what is typed as soon as the window
 * has the focus again.
 */
export const whileEdited = { refetchOnWindowFocus: false, refetchOnReconnect: false }

/** Queries the desk, and caches the response under `[path, body]`. */
export function useApiQuery<P extends PostPath, Chosen = DataOf<P>>(
  path: P,
  body?: BodyOf<P>,
  options: QueryOptions<P, Chosen> = {}
): UseQueryResult<Chosen> {
  return useQuery({ ...options, ...apiQuery(path, body) } as UseQueryOptions<DataOf<P>, Error, Chosen>)
}
