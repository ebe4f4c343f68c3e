import { useApiQuery } from '../../app/api-queries.ts'
import type { Opening } from './snooze-times.ts'

/**
 * When the calendar by which a ticket is due next opens, else that of the desk; undefined if it is always open or never opens, or if that could
 * not be read.
 */
export function useNextOpening(ticket: number | undefined): Opening | undefined | 'pending' {
  const calendars = useApiQuery('/api/admin/calendars/list', {})
  const clocks = useApiQuery('/api/admin/tickets/sla', { id: ticket ?? 0 }, { enabled: ticket !== undefined })
  if (calendars.isLoading || clocks.isLoading) return 'pending'
  const due = clocks.data?.clocks
    .filter(({ is_ended }) => !is_ended)
    .toSorted((one, other) => dueOf(one.due_at) - dueOf(other.due_at))[0]?.target.calendar.id
  const calendar = calendars.data?.calendars.find(({ id, is_default }) => (due === undefined ? is_default : id === due))
  return calendar?.opens_at ? { calendar, at: new Date(calendar.opens_at) } : undefined
}

function dueOf(due: string | null): number {
  return due === null ? Number.MAX_SAFE_INTEGER : Date.parse(due)
}
