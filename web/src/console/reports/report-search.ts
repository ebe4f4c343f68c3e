import type { BodyOf } from '@deskline/client'

export const figures = ['new', 'first_reply', 'solved_in', 'sla', 'satisfaction'] as const
/** Of whoever sees only their own numbers. */
export const ownFigures = ['answered', 'solved', 'first_reply', 'sla', 'satisfaction'] as const
export type FigureName = (typeof figures)[number] | (typeof ownFigures)[number]
export const units = ['day', 'week', 'month'] as const
export type Unit = (typeof units)[number]
export type GroupName = NonNullable<BodyOf<'/api/admin/reports/volume'>['group']>

export const dayMilliseconds = 86_400_000

/** What the page shows. All of it stands in its address, so that a copied link shows the same. */
export interface ReportSearch {
  figure: FigureName
  /** Up to today; `from` and `to` are other days. */
  days: 7 | 30 | 365
  from?: string
  to?: string
  by: Unit
  group: GroupName
  hours: 'clock' | 'open'
  department?: number
  staff?: number
  tag?: string
  priority?: string
  organisation?: number
  channel?: string
}

/** Changes what the page shows; undefined: as if it had never been chosen. */
export type ChooseReport = (changes: { [K in keyof ReportSearch]?: ReportSearch[K] | undefined }) => void

export const groups: readonly GroupName[] = ['department', 'staff', 'tag', 'priority', 'organisation', 'channel']

/** The filters of an address, for every page of reports. */
function filterSearchOf(given: Record<string, unknown>): Pick<ReportSearch, GroupName> {
  const id = (value: unknown) => (Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined)
  const text = (value: unknown) => (value === undefined || value === '' ? undefined : String(value))
  const found = {
    ...{ department: id(given.department ?? given.dept), staff: id(given.staff), organisation: id(given.organisation) },
    ...{ tag: text(given.tag), priority: text(given.priority), channel: text(given.channel) }
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

export function reportSearchOf(given: Record<string, unknown>): ReportSearch {
  const days = ([7, 30, 365] as const).find(each => each === Number(given.days)) ?? 30
  const [from, to] = [dayOf(given.from), dayOf(given.to)]
  const span = from && to && from <= to ? { from, to } : undefined
  const all: readonly FigureName[] = [...figures, ...ownFigures]
  const figure = all.find(each => each === given.figure) ?? 'new'
  return {
    figure,
    days,
    ...span,
    by: units.find(each => each === given.by) ?? unitOf(figure, span ? daysIn(span) : days),
    group: groups.find(each => each === given.group) ?? 'department',
    hours: given.hours === 'open' ? 'open' : 'clock',
    ...filterSearchOf(given)
  }
}

/** As many bars as can be told apart; of ratings a day has few. */
function unitOf(figure: FigureName, days: number): Unit {
  if (days > 180) return 'month'
  return figure === 'satisfaction' || days > 60 ? 'week' : 'day'
}

export function daysIn({ from, to }: { from: string; to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1
}

type BehindBody = BodyOf<'/api/admin/reports/tickets'>

const behindFigures = [
  ...(['opened', 'closed', 'reopened', 'open', 'first_response', 'resolution', 'met', 'breached'] as const),
  ...(['dropped', 'lifted', 'sent', 'good', 'bad', 'rated', 'replies'] as const)
] as const satisfies readonly BehindBody['figure'][]
const reports = [
  'volume',
  'first-response',
  'resolution',
  'backlog',
  'sla',
  'csat',
  'agents'
] as const satisfies readonly NonNullable<BehindBody['report']>[]

export interface BehindSearch extends Pick<ReportSearch, GroupName> {
  figure: BehindBody['figure']
  report?: BehindBody['report']
  /** Of the times that it took. */
  hours?: 'open'
  from: string
  to: string
  by?: GroupName
  key?: string | number
}

export function behindSearchOf(given: Record<string, unknown>): BehindSearch {
  const [figure, report, by] = [
    behindFigures.find(each => each === given.figure) ?? 'opened',
    reports.find(each => each === given.report),
    groups.find(each => each === given.by)
  ]
  const [from, to] = [dayOf(given.from) ?? '', dayOf(given.to) ?? '']
  const key = typeof given.key === 'number' ? given.key : String(given.key ?? '')
  return {
    ...{ figure, from, to, ...filterSearchOf(given) },
    ...(report ? { report } : {}),
    ...(given.hours === 'open' ? { hours: 'open' } : {}),
    ...(by && given.key !== undefined ? { by, key } : {})
  }
}

function dayOf(given: unknown): string | undefined {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(given)) return undefined
  const at = new Date(given)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(given) ? given : undefined
}

/** The filters of the page as part of another address. */
export function filterPart({ department, staff, tag, priority, organisation, channel }: Pick<ReportSearch, GroupName>) {
  return filterSearchOf({ department, staff, tag, priority, organisation, channel })
}

/** The filters and hours of the page as part of the address of the tickets behind a figure. */
export function behindPart(search: ReportSearch): Partial<BehindSearch> {
  return { ...filterPart(search), ...(search.hours === 'open' ? { hours: 'open' } : {}) }
}
