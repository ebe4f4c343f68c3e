import { useApiQuery } from '../../../app/api-queries.ts'

/** All calendars, also those that are archived. */
export function useCalendars() {
  return useApiQuery('/api/admin/calendars/list', {}).data?.calendars
}

/** The name of a calendar. */
export function useCalendarNames(): (id: number) => string {
  const calendars = useCalendars()
  return id => calendars?.find(calendar => calendar.id === id)?.name ?? String(id)
}
