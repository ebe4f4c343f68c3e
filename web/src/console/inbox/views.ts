import type { DataOf } from '@deskline/client'
import { openStatuses, type QueueQuery } from './queue-search.ts'

export type Counts = DataOf<'/api/admin/tickets/counts'>
export type SavedView = DataOf<'/api/admin/views/list'>['views'][number]

/** The built-in views, by their path. */
export const builtInViews = [
  ...(['mine', 'unassigned', 'replied', 'breaching', 'all', 'waiting'] as const),
  ...(['snoozed', 'closed'] as const)
] as const
export type BuiltInView = (typeof builtInViews)[number]

/** Parses the path of a view: `mine`, `view-7`, `department-4`; undefined if it is none. */
export type ViewRef =
  | { kind: 'built-in'; name: BuiltInView }
  | { kind: 'saved'; id: number }
  | { kind: 'department'; deptid: number }

export function viewRefOf(place: string): ViewRef | undefined {
  const name = builtInViews.find(view => view === place)
  if (name) return { kind: 'built-in', name }
  const [, kind, digits] = /^(view|department)-([1-9]\d{0,14})$/.exec(place) ?? []
  if (kind === 'view') return { kind: 'saved', id: Number(digits) }
  if (kind === 'department') return { kind: 'department', deptid: Number(digits) }
  return undefined
}

/** The query of a view. `saved` is the saved view, if it is one. */
export function queryOfView(ref: ViewRef, me: number, saved: SavedView | undefined): QueueQuery {
  const open = [...openStatuses]
  if (ref.kind === 'saved') return saved?.query ?? {}
  if (ref.kind === 'department') return { status: open, department_id: ref.deptid }
  switch (ref.name) {
    case 'mine':
      return { status: open, assigned_staff_id: me }
    case 'unassigned':
      return { status: open, unassigned: 1 }
    case 'replied':
      return { status: ['Customer-Reply'] }
    case 'breaching':
      return { sla_due: { soon: 1 }, sort: 'sla_due' }
    case 'all':
      return { status: open }
    case 'waiting':
      return { status: ['Answered'] }
    case 'snoozed':
      return { snoozed: 1, sort: 'snoozed_until', direction: 'asc' }
    case 'closed':
      return { status: ['Closed'] }
  }
}

/** The number of tickets of a view; undefined if it is not counted. */
export function countOf(ref: ViewRef, counts: Counts | undefined): number | undefined {
  if (!counts) return undefined
  if (ref.kind === 'saved') return counts.views.find(({ id }) => id === ref.id)?.count
  if (ref.kind === 'department') return counts.per_department.find(({ deptid }) => deptid === ref.deptid)?.open
  switch (ref.name) {
    case 'mine':
      return counts.mine
    case 'unassigned':
      return counts.unassigned
    case 'replied':
      return counts.customer_reply
    case 'breaching':
      return counts.breaching_soon
    case 'all':
      return counts.open
    case 'waiting':
      return counts.waiting_on_customer
    case 'snoozed':
      return counts.snoozed
    case 'closed':
      return undefined
  }
}

/** The view to continue with after this one is empty. */
export function nextViewWithTickets(place: string, counts: Counts | undefined): BuiltInView | undefined {
  const order: BuiltInView[] = ['mine', 'replied', 'unassigned', 'all']
  return order.find(name => name !== place && (countOf({ kind: 'built-in', name }, counts) ?? 0) > 0)
}
