import type { BodyOf } from '@deskline/client'
import { useQuery } from '@tanstack/react-query'
import { post } from '../../app/api-client.ts'
import { queryKeyOf, useApiQuery } from '../../app/api-queries.ts'
import { locale } from '../../lib/times.ts'
import { refusedRecipients } from './chosen-recipients.ts'

/** From where a reply to this ticket may leave, and who is near it. */
export function usePossibleRecipients(id: number) {
  return useApiQuery('/api/admin/tickets/recipients', { id }, { staleTime: 60_000 }).data
}

/** What those who get it see of each other, as the service says that it sends it, or whom it would refuse; until it has, what it said before. */
export function useWhoSeesWhom(body: BodyOf<'/api/admin/tickets/recipients'>) {
  const path = '/api/admin/tickets/recipients'
  const { data, error } = useQuery({
    queryKey: [...queryKeyOf(path, body), locale],
    queryFn: ({ signal }) => post(path, body, { signal, headers: { 'Accept-Language': locale } }),
    staleTime: 60_000,
    placeholderData: before => before
  })
  const refusal = refusedRecipients(error)
  return { text: refusal ? '' : (data?.text ?? ''), refusal }
}
