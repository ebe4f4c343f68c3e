import type { BodyOf } from '@deskline/client'
import { useApiQuery } from '../../app/api-queries.ts'

/** From where a reply to this ticket may leave, and who is near it. */
export function usePossibleRecipients(id: number) {
  return useApiQuery('/api/admin/tickets/recipients', { id }, { staleTime: 60_000 }).data
}

/** What those who get it see of each other, as the service says that it sends it; until it has, what it said before. */
export function useWhoSeesWhom(body: BodyOf<'/api/admin/tickets/recipients'>): string {
  const { data } = useApiQuery('/api/admin/tickets/recipients', body, {
    staleTime: 60_000,
    retry: false,
    placeholderData: before => before
  })
  return data?.text ?? ''
}
