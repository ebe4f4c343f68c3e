import type { BodyOf, DataOf, PostPath } from '@deskline/client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { post, queryClient } from './api-client.ts'

interface MutationOptions<P extends PostPath> {
  /** The queries whose results change. */
  changes?: PostPath[]
  onSuccess?: (data: DataOf<P>, body: BodyOf<P>) => void
  onError?: (error: Error, body: BodyOf<P>) => void
}

/** A write: `mutate(body)`; reloads the queries in `changes`. */
export function useApiMutation<P extends PostPath>(
  path: P,
  options: MutationOptions<P> = {}
): UseMutationResult<DataOf<P>, Error, BodyOf<P>> {
  return useMutation({
    mutationFn: (body: BodyOf<P>) => post(path, body),
    onSuccess: (data, body) => {
      for (const changed of options.changes ?? []) void queryClient.invalidateQueries({ queryKey: [changed] })
      options.onSuccess?.(data, body)
    },
    onError: (error, body) => options.onError?.(error, body)
  })
}
