import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { deskVisibility, preparedForVisibleCounts } from '../ticket/visibility.ts'
import { withIndexes } from './field-filter.ts'
import { countQueue } from './queue.ts'
import { selectionOf } from './queue-query.ts'
import { type OwnedView, savedViews, selectionOfView } from './saved-views.ts'

/**
 * The number of tickets in each view of the queue. `open` counts everything that is neither closed nor snoozed, and so do the others; `snoozed`
 * counts up to 1,000.
 */
export interface Counts {
  mine: number
  unassigned: number
  open: number
  waiting_on_customer: number
  customer_reply: number
  /** Less than a quarter of the time is left, or it is late: at most 1,000. */
  breaching_soon: number
  snoozed: number
  per_department: { deptid: number; name: string; open: number; unassigned: number }[]
  /** The saved views that the actor sees, in order, counted by `countQueue`. */
  views: { id: number; count: number }[]
}

/** The counts of the tickets that this actor sees, from the sums that the database keeps. */
export async function countsFor(db: Db, actor: StaffActor, now: Date): Promise<Counts> {
  const rows = await perDepartment(db, deskVisibility(actor), { staff: actor.id })
  const seen = rows.filter(row => actor.departments?.includes(row.id) ?? true)
  const sum = (column: 'mine' | 'unassigned' | 'open' | 'answered' | 'customer_reply') =>
    seen.reduce((total, row) => total + row[column], 0)
  return {
    mine: sum('mine'),
    unassigned: sum('unassigned'),
    open: sum('open'),
    waiting_on_customer: sum('answered'),
    customer_reply: sum('customer_reply'),
    breaching_soon: await countQueue(db, actor, selectionOf({ sla_due: { soon: 1 } }), now),
    snoozed: await countQueue(db, actor, selectionOf({ snoozed: 1 }), now),
    // An inactive department is listed while it has open tickets.
    per_department: seen
      .filter(({ is_active, open }) => is_active || open > 0)
      .map(({ deptid, name, open, unassigned }) => ({ deptid, name, open, unassigned })),
    views: await viewCounts(db, actor, now)
  }
}

/** One after the other, so that somebody with many views does not take up the connection pool. */
async function viewCounts(db: Db, actor: StaffActor, now: Date): Promise<Counts['views']> {
  const counts: Counts['views'] = []
  for (const view of await savedViews(db, actor)) {
    // A shared view of the trash is empty for staff who may not see the trash.
    const isHidden = view.query.trashed === 1 && !hasPermission(actor, 'tickets.delete')
    counts.push({ id: view.id, count: isHidden ? 0 : await countView(db, actor, view, now) })
  }
  return counts
}

async function countView(db: Db, actor: StaffActor, view: OwnedView, now: Date): Promise<number> {
  return await countQueue(db, actor, await withIndexes(db, selectionOfView(view)), now)
}

const perDepartment = preparedForVisibleCounts((counts, p: { staff: number }, db) =>
  db
    .with('counted', () =>
      counts
        .where('ticket_counts.status', '<>', sql.lit('Closed'))
        .groupBy('ticket_counts.department_id')
        .select('ticket_counts.department_id')
        .select(({ fn }) => [
          fn.sum<number>('tickets').as('open'),
          fn.sum<number>('tickets').filterWhere('assigned_staff_id', '=', p.staff).as('mine'),
          fn.sum<number>('tickets').filterWhere('assigned_staff_id', 'is', null).as('unassigned'),
          fn.sum<number>('tickets').filterWhere('status', '=', sql.lit('Answered')).as('answered'),
          fn.sum<number>('tickets').filterWhere('status', '=', sql.lit('Customer-Reply')).as('customer_reply')
        ])
    )
    .selectFrom('departments')
    .leftJoin('counted', 'counted.department_id', 'departments.id')
    .select(['departments.id', 'departments.deptid', 'departments.name', 'departments.is_active'])
    .select(({ fn, lit }) => [
      fn.coalesce('counted.open', lit(0)).as('open'),
      fn.coalesce('counted.mine', lit(0)).as('mine'),
      fn.coalesce('counted.unassigned', lit(0)).as('unassigned'),
      fn.coalesce('counted.answered', lit(0)).as('answered'),
      fn.coalesce('counted.customer_reply', lit(0)).as('customer_reply')
    ])
    .orderBy('departments.id')
)
