import type { AnswerOf, BodyOf, DataOf, ListPath, PostPath } from '@deskline/client'
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery
} from '@tanstack/react-query'
import { desk, queries } from './desk.ts'

type QueryOptions<P extends PostPath, Chosen> = Omit<UseQueryOptions<DataOf<P>, Error, Chosen>, 'queryKey' | 'queryFn'>

/** The key under which an answer is kept. `[path]` alone stands for all its bodies. */
export function deskKey<P extends PostPath>(path: P, body?: BodyOf<P>) {
  return [path, body ?? {}] as const
}

/** What a question is asked with: for `queries.prefetchQuery` and `fetchQuery`. */
export function deskQuery<P extends PostPath>(path: P, body?: BodyOf<P>) {
  return { queryKey: deskKey(path, body), queryFn: ({ signal }: { signal: AbortSignal }) => ask(path, body, signal) }
}

/** Asks the desk, keeps the answer under `[path, body]`. */
export function useDeskQuery<P extends PostPath, Chosen = DataOf<P>>(
  path: P,
  body?: BodyOf<P>,
  options: QueryOptions<P, Chosen> = {}
): UseQueryResult<Chosen> {
  return useQuery({ ...options, ...deskQuery(path, body) } as UseQueryOptions<DataOf<P>, Error, Chosen>)
}

/** A list page by page, by its cursor where it has one. */
export function useDeskPages<P extends ListPath>(
  path: P,
  body?: BodyOf<P>,
  options: { enabled?: boolean; refetchInterval?: number | false } = {}
): UseInfiniteQueryResult<InfiniteData<DataOf<P>>> {
  return useInfiniteQuery({
    ...options,
    queryKey: [path, body ?? {}, 'pages'],
    initialPageParam: {} as object,
    queryFn: ({ signal, pageParam }) => ask(path, { ...(body as object), ...pageParam } as BodyOf<P>, signal),
    getNextPageParam: (page: unknown) => nextPage(page as PageOfList)
  }) as unknown as UseInfiniteQueryResult<InfiniteData<DataOf<P>>>
}

interface WriteOptions<P extends PostPath> {
  /** The questions whose answers are others afterwards. */
  changes?: PostPath[]
  onSuccess?: (answer: AnswerOf<P>, body: BodyOf<P>) => void
  onError?: (error: Error, body: BodyOf<P>) => void
}

/** Writes: `mutate(body)`; what `changes` names is asked for again. */
export function useDeskWrite<P extends PostPath>(
  path: P,
  options: WriteOptions<P> = {}
): UseMutationResult<AnswerOf<P>, Error, BodyOf<P>> {
  return useMutation({
    mutationFn: (body: BodyOf<P>) => send(path, body),
    onSuccess: (answer, body) => {
      for (const changed of options.changes ?? []) void queries.invalidateQueries({ queryKey: [changed] })
      options.onSuccess?.(answer, body)
    },
    onError: (error, body) => options.onError?.(error, body)
  })
}

/** One write, outside of React. Answers the envelope. */
export async function send<P extends PostPath>(path: P, body: BodyOf<P>): Promise<AnswerOf<P>> {
  return await (desk.POST as Post)(path, { body })
}

async function ask<P extends PostPath>(path: P, body: BodyOf<P> | undefined, signal: AbortSignal): Promise<DataOf<P>> {
  const answer = await (desk.POST as Post)(path, { body: body ?? {}, signal })
  return answer.data
}

// The types of a path that is not known yet are too many to tell one by one: they are the caller's.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Post = (path: string, init: object) => Promise<any>

type PageOfList = { next_cursor?: string | null; page?: number; limit?: number; total?: number; count?: number }

function nextPage({ next_cursor, page, limit, total, count }: PageOfList): object | undefined {
  if (next_cursor) return { cursor: next_cursor }
  if (next_cursor === null || !page || !limit) return undefined
  return page * limit < (total ?? 0) && (count ?? 1) > 0 ? { page: page + 1 } : undefined
}
