import type { BodyOf } from '@deskline/client'

export const figures = ['new', 'first_reply', 'solved_in', 'sla', 'satisfaction'] as const
export type FigureName = (typeof figures)[number]
export type Unit = 'day' | 'week' | 'month'
export type GroupName = NonNullable<BodyOf<'/api/admin/reports/volume'>['group']>

/** What the page shows. All of it stands in its address, so that a copied link shows the same. */
export interface ReportSearch {
  figure: FigureName
  days: 7 | 30 | 365
  by: Unit
  group: GroupName
  hours: 'clock' | 'open'
  department?: number
}

const groups: readonly GroupName[] = ['department', 'staff', 'tag', 'priority', 'organisation', 'channel']

export function reportSearchOf(given: Record<string, unknown>): ReportSearch {
  const days = ([7, 30, 365] as const).find(each => each === Number(given.days)) ?? 30
  const department = Number(given.department)
  return {
    figure: figures.find(each => each === given.figure) ?? 'new',
    days,
    by: (['day', 'week', 'month'] as const).find(each => each === given.by) ?? (days === 365 ? 'month' : 'day'),
    group: groups.find(each => each === given.group) ?? 'department',
    hours: given.hours === 'open' ? 'open' : 'clock',
    ...(Number.isInteger(department) && department > 0 ? { department } : {})
  }
}

/** The days of a report that ends today: `before` steps back by as many. */
export function spanOf(days: number, before = 0): { from: string; to: string } {
  const dayOf = (back: number) => {
    const day = new Date()
    day.setDate(day.getDate() - back)
    return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
  }
  return { from: dayOf(days * (before + 1) - 1), to: dayOf(days * before) }
}

/** What a report is asked. */
export function questionOf({ days, by, group, hours, department }: ReportSearch) {
  return { ...spanOf(days), by, group, hours, ...(department === undefined ? {} : { department_id: department }) }
}
