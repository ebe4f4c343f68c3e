import type { DataOf } from '@deskline/client'
import { useApiQuery } from '../../../app/api-queries.ts'

export const calendarsPath = '/api/admin/calendars/list'
export const calendarPath = '/api/admin/calendars/detail'

export type ListedCalendar = DataOf<typeof calendarsPath>['calendars'][number]
export type Calendar = DataOf<typeof calendarPath>['calendar']

/** How many SLA policies count by a calendar. */
export function usePolicyCounts(): (id: number) => number {
  const policies = usePoliciesBy()
  return id => policies(id).length
}

/** The SLA policies that count by a calendar. */
export function usePoliciesBy(): (id: number) => { id: number; name: string }[] {
  const policies = useApiQuery('/api/admin/sla-policies/list', {}).data?.policies
  return id =>
    (policies ?? []).filter(
      ({ targets, is_archived }) => !is_archived && targets.some(({ calendar_id }) => calendar_id === id)
    )
}
