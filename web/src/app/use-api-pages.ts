import type { BodyOf, DataOf, ListPath } from '@deskline/client'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { post } from './api-client.ts'

/** Loads a list page by page, by cursor if the endpoint has one. */
export function useApiPages<P extends ListPath>(
  path: P,
  body?: BodyOf<P>,
  options: {
    enabled?: boolean
    refetchInterval?: number | false
    refetchOnWindowFocus?: boolean
    refetchOnReconnect?: boolean
  } = {}
): UseInfiniteQueryResult<InfiniteData<DataOf<P>>> {
  return useInfiniteQuery({
    ...options,
    queryKey: [path, body ?? {}, 'pages'],
    initialPageParam: {} as object,
    queryFn: ({ signal, pageParam }) => post(path, { ...(body as object), ...pageParam } as BodyOf<P>, { signal }),
    getNextPageParam: (page: unknown) => nextPage(page as PageOfList)
  }) as unknown as UseInfiniteQueryResult<InfiniteData<DataOf<P>>>
}

type PageOfList = { next_cursor?: string | null; page?: number; limit?: number; total?: number; count?: number }

function nextPage({ next_cursor, page, limit, total, count }: PageOfList): object | undefined {
  if (next_cursor) return { cursor: next_cursor }
  if (next_cursor === null || !page || !limit) return undefined
  return page * limit < (total ?? 0) && (count ?? 1) > 0 ? { page: page + 1 } : undefined
}
