import type { AnswerOf, BodyOf, PostPath } from '@deskline/client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { queryClient } from './api-client.ts'
import { postToApi } from './api-queries.ts'

interface MutationOptions<P extends PostPath> {
  /** The queries whose results change. */
  changes?: PostPath[]
  onSuccess?: (answer: AnswerOf<P>, body: BodyOf<P>) => void
  onError?: (error: Error, body: BodyOf<P>) => void
}

/** A write: `mutate(body)`; reloads the queries in `changes`. */
export function useApiMutation<P extends PostPath>(
  path: P,
  options: MutationOptions<P> = {}
): UseMutationResult<AnswerOf<P>, Error, BodyOf<P>> {
  return useMutation({
    mutationFn: (body: BodyOf<P>) => postToApi(path, body),
    onSuccess: (answer, body) => {
      for (const changed of options.changes ?? []) void queryClient.invalidateQueries({ queryKey: [changed] })
      options.onSuccess?.(answer, body)
    },
    onError: (error, body) => options.onError?.(error, body)
  })
}
