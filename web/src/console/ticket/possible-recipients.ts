import { useApiQuery } from '../../app/api-queries.ts'

/** From where a reply to this ticket may leave, and who is near it. */
export function usePossibleRecipients(id: number) {
  return useApiQuery('/api/admin/tickets/recipients', { id }, { staleTime: 60_000 }).data
}
