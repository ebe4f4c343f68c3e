import type { BodyOf } from '@deskline/client'
import { createStore } from '../../lib/store.ts'
import { dayMilliseconds, daysIn, type GroupName, type ReportSearch } from './report-search.ts'

/** The days of a report, by default those that end today; `before`: as many before them. */
export function spanOf({ days, from, to }: Pick<ReportSearch, 'days' | 'from' | 'to'>, before = false) {
  if (from && to) {
    const length = daysIn({ from, to })
    return before ? { from: moved(from, -length), to: moved(from, -1) } : { from, to }
  }
  const end = moved(today(), before ? -days : 0)
  return { from: moved(end, 1 - days), to: end }
}

/** The zone of the desk, whose days reports count; as long as no report has told it, that of the browser. */
export const deskZone = createStore<string | undefined>(undefined)

/** The page of reports that was shown last, with its filters: where the tickets behind a figure lead back to. */
export const reportsShown = createStore<{ to: '/reports' | '/reports/mine'; search: object }>({
  to: '/reports',
  search: {}
})

/** Today, where the desk is. */
export function today(): string {
  return new Intl.DateTimeFormat('sv', { timeZone: deskZone.get() }).format(new Date())
}

function moved(day: string, by: number): string {
  return new Date(Date.parse(day) + by * dayMilliseconds).toISOString().slice(0, 10)
}

/** The filters of a report, as the API knows them. */
export function filtersOf({ department, staff, tag, priority, organisation, channel }: Pick<ReportSearch, GroupName>) {
  return {
    ...(department === undefined ? {} : { department_id: department }),
    ...(staff === undefined ? {} : { staff_id: staff }),
    ...(tag === undefined ? {} : { tag }),
    ...(priority === undefined ? {} : { priority }),
    ...(organisation === undefined ? {} : { organisation_id: organisation }),
    ...(channel === undefined ? {} : { channel })
  } as Pick<BodyOf<'/api/admin/reports/volume'>, 'department_id' | 'staff_id' | 'tag' | 'priority' | 'channel'>
}

/** What a report is asked. */
export function questionOf(search: ReportSearch) {
  const { by, group, hours } = search
  return { ...spanOf(search), by, group, hours, ...filtersOf(search) }
}
