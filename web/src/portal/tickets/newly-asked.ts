import type { DataOf } from '@deskline/client'
import type { UseQueryResult } from '@tanstack/react-query'

/**
 * Whether questions come to light only now, as the form had not been loaded at the time of sending: they are shown then, and what a draft answers
 * is not left out. Offline nothing is asked for.
 */
export async function areNewlyAsked(query: UseQueryResult<DataOf<'/api/ticket-forms'>>): Promise<boolean> {
  if (query.data || !navigator.onLine) return false
  const { data } = await query.refetch()
  return (data?.form?.items.length ?? 0) > 0
}
