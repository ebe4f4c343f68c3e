import type { BodyOf } from '@deskline/client'

/** What `tickets/list` is asked for, without the place in it. */
export type QueueQuery = Omit<NonNullable<BodyOf<'/api/admin/tickets/list'>>, 'cursor' | 'page' | 'limit'>
export type Status = NonNullable<QueueQuery['status']>[number]
export type Priority = NonNullable<QueueQuery['priority']>[number]

/**
 * The filters and the order of a list as its address has them. What is not there is as the view has it; `any` takes a filter of the view away.
 * Several values stand in one text with commas, so that an address can be read.
 */
export interface QueueSearch {
  status?: string
  priority?: string
  dept?: number | 'any'
  assignee?: number | 'me' | 'none' | 'any'
  tag?: string
  watched?: 1 | 'any'
  merged?: 1 | 'any'
  /** Since when the client waits for an answer: at all (`1`), for so long (`4h`, `3d`), or since a moment. */
  waiting?: string
  q?: string
  /** `updated`, `created`, `priority`; with a minus the other way round. */
  sort?: string
}

export const statuses: readonly Status[] = ['Open', 'In Progress', 'Customer-Reply', 'Answered', 'Closed']
export const openStatuses: readonly Status[] = ['Open', 'In Progress', 'Answered', 'Customer-Reply']
export const priorities: readonly Priority[] = ['Critical', 'High', 'Medium', 'Low']
const sorts = ['updated', 'created', 'priority'] as const
export const waits = ['1', '4h', '1d', '3d', '7d'] as const

const names = ['status', 'priority', 'dept', 'assignee', 'tag', 'watched', 'merged', 'waiting', 'q', 'sort'] as const

/** The search of an address, with all left out that it cannot mean. */
export function queueSearchOf(given: Record<string, unknown>): QueueSearch {
  const text = (name: string) => {
    const value = given[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 255) : undefined
  }
  const id = (name: string) => (/^[1-9]\d{0,14}$/.test(text(name) ?? '') ? Number(text(name)) : undefined)
  const oneOf = <const V extends string>(name: string, values: readonly V[]): V | undefined =>
    values.find(value => value === text(name))
  const flag = (name: string): 1 | 'any' | undefined => (text(name) === '1' ? 1 : oneOf(name, ['any']))
  return withoutGaps<QueueSearch>({
    status: listOf(text('status'), statuses.map(slug)),
    priority: listOf(text('priority'), priorities.map(slug)),
    dept: id('dept') ?? oneOf('dept', ['any']),
    assignee: id('assignee') ?? oneOf('assignee', ['me', 'none', 'any']),
    tag: text('tag'),
    watched: flag('watched'),
    merged: flag('merged'),
    waiting: /^(1|any|[1-9]\d{0,2}[hd]|\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?)$/.exec(text('waiting') ?? '')?.[0],
    q: text('q')?.trim() || undefined,
    sort: oneOf(
      'sort',
      sorts.flatMap(sort => [sort, `-${sort}`] as const)
    )
  })
}

/** Whether anything is narrowed or ordered otherwise than the view does by itself. */
export function isFiltered(search: QueueSearch): boolean {
  return names.some(name => search[name] !== undefined)
}

/** A view with what the address changes of it. `now` turns "for so long" into a moment. */
export function filteredBy(base: QueueQuery, search: QueueSearch, me: number, now: Date): QueueQuery {
  const query: QueueQuery = { ...base }
  const { status, priority, dept, assignee, tag, watched, merged, waiting, q, sort } = search
  if (status) query.status = status === 'any' ? undefined : named(statuses, status)
  if (priority) query.priority = priority === 'any' ? undefined : named(priorities, priority)
  if (dept) query.department_id = dept === 'any' ? undefined : dept
  if (assignee) Object.assign(query, assigned(assignee, me))
  if (tag) Object.assign(query, { tag: tag === 'any' ? undefined : tag, tag_id: undefined })
  if (watched) query.watched = watched === 'any' ? undefined : 1
  if (merged) query.merged = merged === 'any' ? undefined : 1
  if (waiting) Object.assign(query, waited(waiting, now))
  if (q) query.search = q
  if (sort) Object.assign(query, orderOf(sort))
  return withoutGaps(query)
}

/** `In Progress` as an address has it: `in-progress`. */
export function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

/** The known values of a list in an address. */
function named<V extends string>(values: readonly V[], text: string): V[] {
  const wanted = text.split(',')
  return values.filter(value => wanted.includes(slug(value)))
}

function listOf(text: string | undefined, known: readonly string[]): string | undefined {
  if (text === undefined || text === 'any') return text
  const values = known.filter(value => text.split(',').includes(value))
  return values.length > 0 ? values.join(',') : undefined
}

function assigned(assignee: NonNullable<QueueSearch['assignee']>, me: number): QueueQuery {
  if (assignee === 'none') return { unassigned: 1, assigned_staff_id: undefined }
  const id = assignee === 'any' ? undefined : assignee === 'me' ? me : assignee
  return { assigned_staff_id: id, unassigned: undefined }
}

function waited(waiting: string, now: Date): QueueQuery {
  if (waiting === 'any') return { waiting: undefined, waiting_since: undefined }
  if (waiting === '1') return { waiting: 1, waiting_since: undefined }
  const [, count, unit] = /^(\d+)([hd])$/.exec(waiting) ?? []
  if (!count) return { waiting: undefined, waiting_since: waiting }
  const moment = new Date(now.getTime() - Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000))
  return { waiting: undefined, waiting_since: timestampOf(moment) }
}

function orderOf(sort: string): QueueQuery {
  const isTurned = sort.startsWith('-')
  const by = (isTurned ? sort.slice(1) : sort) as NonNullable<QueueQuery['sort']>
  return { sort: by, direction: isTurned ? 'asc' : 'desc' }
}

/** A moment as the API takes it. */
export function timestampOf(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

function withoutGaps<T extends object>(given: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T
}
